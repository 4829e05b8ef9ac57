/** The actors of one world, as this runtime has them: it gives them turns, and counts them. */
import type { Log } from "../control/log.ts";
import type { Stopwatch } from "../control/stopwatch.ts";
import type { Actor } from "./actor.ts";
import { Mailbox } from "./mailbox.ts";
import { spell } from "./names.ts";
import { Queue } from "./queue.ts";

/** Messages that an actor takes before others have their turn. */
const BATCH = 64;

/** Milliseconds after which timers and calls have their turn. */
const SLICE = 1;

/** What actors can say to control (ACT-7). */
export interface Control {
  /** The poker: the world is set up and quiet. */
  ready(): void;
  /** The poker: a turn is complete. */
  confirmed(value: number, stops: number, announced: number, consumed: number): void;
  /** A lead: so much fell into this window. */
  window(number: number, count: number): void;
  /** A lead: everything is done. Of the poker, `finished`. */
  done(...counts: number[]): void;
  fail(reason: string): void;
}

/** A class of actors: its number in names, and how one is made. */
export interface Kindred<A extends Actor, P extends unknown[]> {
  readonly CLASS: number;
  new (system: System, address: Mailbox, ...args: P): A;
}

export class System {
  readonly log: Log;
  readonly stopwatch: Stopwatch;
  readonly control: Control;
  readonly #ready = new Queue<Mailbox>();
  #scheduled = false;
  #alive = 0;

  constructor(log: Log, stopwatch: Stopwatch, control: Control) {
    this.log = log;
    this.stopwatch = stopwatch;
    this.control = control;
  }

  /** How many actors were made and not disposed of. */
  get alive(): number {
    return this.#alive;
  }

  /** A new actor's mailbox: it can be written to before the actor is there. */
  address<A extends Actor, P extends unknown[]>(
    actor: Kindred<A, P>,
    first = 0,
    second = 0,
  ): Mailbox<A> {
    return new Mailbox<A>({ actorClass: actor.CLASS, first, second }, (mailbox) => this.#wake(mailbox));
  }

  /** Brings to life who lives at this address. */
  spawn<A extends Actor, P extends unknown[]>(
    address: Mailbox<A>,
    actor: Kindred<A, P>,
    ...args: P
  ): void {
    this.#alive++;
    address.open(new actor(this, address, ...args));
  }

  /** The actor has ended itself. */
  dispose(actor: Actor): void {
    if (actor.address.close()) this.#alive--;
  }

  /** An actor has failed: it takes nothing more, and has not ended (CTRL-10). */
  failed(actor: Actor, error: unknown): void {
    actor.address.close();
    console.error(error);
    this.control.fail(`${spell(actor.address.name)} failed: ${String(error)}`);
  }

  /** By the event loop's timer, which may be early by a fraction of a millisecond: then once more. */
  later(milliseconds: number, act: () => void): void {
    const due = performance.now() + milliseconds;
    const look = (): void => {
      const left = due - performance.now();
      if (left > 0) setTimeout(look, Math.ceil(left));
      else act();
    };
    setTimeout(look, milliseconds);
  }

  #wake(mailbox: Mailbox): void {
    this.#ready.push(mailbox);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const end = performance.now() + SLICE;
    for (;;) {
      const mailbox = this.#ready.shift();
      if (mailbox === undefined) {
        this.#scheduled = false;
        return;
      }
      if (mailbox.drain(BATCH)) this.#ready.push(mailbox);
      if (performance.now() > end) break;
    }
    setImmediate(() => this.#run());
  }
}
