/**
 * What control knows of a benchmark: who is there at first, what is said to the lead, and how the
 * receipt is filled.
 */
import type { Behaviours, Carried } from "./actor.ts";
import { FROM_CONTROL, type Address, type Mailbox, type Message } from "./mailbox.ts";
import type { System } from "./system.ts";

/** As `Prepare` has them. */
export type Parameters = Readonly<Record<string, number | boolean>>;

/** What the lead has reported so far. */
export interface Said {
  readonly counts: readonly number[];
  /** How many turns were confirmed. */
  readonly turns: number;
  /** Of all turns: values, stops, announced, consumed. */
  readonly sums: readonly [number, number, number, number];
}

/** A message that control sends to the lead, an `A`. */
export function fromControl<A>() {
  return <K extends Behaviours<A>>(behaviour: K, ...args: Carried<A, K>): Message => ({
    behaviour,
    sender: FROM_CONTROL as Address,
    args,
  });
}

export abstract class Benchmark {
  /** How many reports complete a run. */
  get reports(): number {
    return 1;
  }

  /** How many of these are turns or windows, which have marks (CTRL-6). */
  get marked(): number {
    return 0;
  }

  /** Brings to life who is there at first; the lead. */
  abstract populate(system: System): Mailbox;

  /** What the lead is told in Run. */
  abstract start(salt: number): Message;

  /** What the lead is told in Prepare, if anything; it reports on that. */
  prepare(): Message | undefined {
    return undefined;
  }

  /** What the lead is told in Teardown, if anything. */
  disconnect(): Message | undefined {
    return undefined;
  }

  /** Whether it reports on that. */
  get finishes(): boolean {
    return false;
  }

  /** What the lead is told in Act, where one client is driven; it reports on that. */
  act(_client: number, _choice: number, _index: number, _k: number): Message {
    throw new Error(`${this.constructor.name} has no acts`);
  }

  /** What the lead is told in Turn, where all clients are driven; it reports on that. */
  turn(): Message {
    throw new Error(`${this.constructor.name} has no turns`);
  }

  /** ChatApp's receipt, which is its own; undefined where it repeats what the lead reported. */
  receipt(_said: Said): Record<string, number> | undefined {
    return undefined;
  }

  /** Of what the lead reported, the receipt's `done`. A lead may report what it timed as well. */
  done(said: Said): object {
    return { arguments: said.counts };
  }
}
