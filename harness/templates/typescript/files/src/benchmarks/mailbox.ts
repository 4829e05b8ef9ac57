/**
 * Mailboxes, which are also the addresses of actors: actors know each other by these and by
 * nothing else.
 */
import type { Actor } from "./actor.ts";
import { CONTROL, type Name } from "./names.ts";
import { Queue } from "./queue.ts";

export interface Message {
  /** The method that takes it. */
  readonly behaviour: string;
  readonly sender: Address;
  /** First those that are logged, then what else its receiver needs. */
  readonly args: readonly unknown[];
}

/** Where an actor of the class `A` can be written to. */
export class Address<A = unknown> {
  readonly name: Name;
  /** Never there: it makes addresses of different actors different types. */
  declare readonly takes: A;

  constructor(name: Name) {
    this.name = name;
  }
}

/** What control is to an actor: a sender. Reports go to `System.control`. */
export const FROM_CONTROL = new Address<never>(CONTROL);

/** What waits for one actor, in the order in which it came; no bound. */
export class Mailbox<A = unknown> extends Address<A> {
  readonly #wake: (mailbox: Mailbox) => void;
  readonly #messages = new Queue<Message>();
  #waits = true;
  #actor: Actor | undefined;
  #closed = false;

  constructor(name: Name, wake: (mailbox: Mailbox) => void) {
    super(name);
    this.#wake = wake;
  }

  /** Nobody hears what is sent to an actor that has ended. */
  put(message: Message): void {
    if (this.#closed) return;
    this.#messages.push(message);
    if (this.#waits && this.#actor !== undefined) this.#ready();
  }

  /** Its actor is there from now on. */
  open(actor: Actor): void {
    this.#actor = actor;
    if (this.#messages.length > 0) this.#ready();
  }

  /** Its actor is there no more. Whether it was. */
  close(): boolean {
    const was = this.#actor !== undefined;
    this.#actor = undefined;
    this.#closed = true;
    return was;
  }

  /** Has the actor take up to so many messages. Whether there are more. */
  drain(most: number): boolean {
    for (let taken = 0; taken < most && this.#messages.length > 0; taken++) {
      if (this.#actor === undefined) return false;
      this.#actor.take(this.#messages.shift() as Message);
    }
    this.#waits = this.#messages.length === 0;
    return !this.#waits;
  }

  #ready(): void {
    this.#waits = false;
    this.#wake(this);
  }
}
