/** What all actors have in common (spec/actors.md). */
import type { ActorLog } from "../control/log.ts";
import type { Address, Mailbox, Message } from "./mailbox.ts";
import { kindsOf, type Argument, type Kind } from "./messages.ts";
import type { System } from "./system.ts";

/** A method that takes messages: of their sender, and of their arguments. */
type Behaviour = (sender: any, ...args: any[]) => void;

/** The names of an actor's methods. */
export type Behaviours<A> = {
  [K in keyof A]: A[K] extends Behaviour ? K : never;
}[keyof A] &
  string;

/** What a message to this method carries. */
export type Carried<A, K extends keyof A> = A[K] extends (sender: never, ...args: infer P) => void
  ? P
  : never;

/** A mailbox, a state, and a method for each kind of message. */
export abstract class Actor {
  readonly system: System;
  readonly address: Mailbox;
  readonly #log: ActorLog | undefined;
  readonly #kinds: ReadonlyMap<string, Kind>;

  constructor(system: System, address: Mailbox) {
    this.system = system;
    this.address = address;
    this.#log = system.log.born(address.name);
    this.#kinds = kindsOf(address.name.actorClass);
  }

  /** The one way in which a message is taken, watched or not (IMPL-11). */
  take({ behaviour, sender, args }: Message): void {
    try {
      if (this.#log !== undefined) {
        const kind = this.#kinds.get(behaviour);
        if (kind === undefined) throw new Error(`takes no ${behaviour}`);
        this.#log.take(sender.name, kind, this.logged(behaviour, args));
      }
      (this as unknown as Record<string, Behaviour>)[behaviour]?.(sender, ...args);
    } catch (error) {
      this.system.failed(this, error);
    }
  }

  /** The arguments in the log, for those that are made by the receiver (SORT-2). */
  protected logged(_behaviour: string, args: readonly unknown[]): readonly Argument[] {
    return args as readonly Argument[];
  }

  /** Takes no further message once this one is done with (ACT-6). */
  protected end(): void {
    this.system.dispose(this);
  }

  /** Sends a message: which method of its receiver takes it, and what it carries. */
  protected send<A, K extends Behaviours<A>>(
    to: Address<A>,
    behaviour: K,
    ...args: Carried<A, K>
  ): void {
    (to as unknown as Mailbox).put({ behaviour, sender: this.address, args });
  }

  /** Has the runtime's timer send this actor a message, no sooner than in so many milliseconds. */
  sendLater(milliseconds: number, behaviour: string, number: number): void {
    const message = { behaviour, sender: this.address, args: [number] };
    this.system.later(milliseconds, () => this.address.put(message));
  }
}
