/** Watches, and the logs that they ask for (TRACE-1 to TRACE-3). */
import type { Argument, Kind } from "../benchmarks/messages.ts";
import { high, low, type Name } from "../benchmarks/names.ts";
import type { Counter, Writer } from "./shared.ts";

/** `events` of a watch without an end. */
const ALL = 0xffff_ffff;

/** A row of `Prepare`. */
export interface Watch {
  readonly class: number;
  readonly modulus: number;
  readonly remainder: number;
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly events: number;
}

/** Where one watched actor logs. */
export class ActorLog {
  readonly #writer: Writer;
  readonly #name: readonly [number, number];
  readonly #counter: Counter;
  readonly #from: number;
  readonly #end: number;
  #taken = 0;

  constructor(writer: Writer, name: Name, watch: Watch) {
    this.#writer = writer;
    this.#name = [high(name), low(name)];
    this.#counter = writer.counter(...this.#name);
    this.#from = watch.from;
    this.#end = watch.events === ALL ? Infinity : watch.from + watch.events;
  }

  /**
   * The actor has taken a message from its mailbox: counts it, and keeps what is asked for. Counted
   * first, so that nobody ever sees more rows than messages.
   */
  take(sender: Name, kind: Kind, args: readonly Argument[]): void {
    const number = this.#taken++;
    this.#counter.count();
    if (number < this.#from || number >= this.#end) return;
    const words = [...this.#name, high(sender), low(sender)];
    for (let i = 0; i < kind.arity; i++) words.push(...halves(args[i] ?? 0));
    this.#writer.row(kind.number, words);
  }
}

/** The logs of one world. */
export class Log {
  readonly #writer: Writer;
  readonly #watches: readonly Watch[];

  constructor(writer: Writer, watches: readonly Watch[]) {
    this.#writer = writer;
    this.#watches = watches;
  }

  /** Where this actor logs, from its birth on; nowhere if nobody watches it. */
  born(name: Name): ActorLog | undefined {
    const watch = this.#watches.find(
      (row) =>
        (row.class === 0 || row.class === name.actorClass) &&
        row.first <= name.first &&
        name.first <= row.last &&
        name.first % row.modulus === row.remainder,
    );
    return watch && new ActorLog(this.#writer, name, watch);
  }
}

function halves(argument: Argument): [number, number] {
  if (typeof argument === "bigint") {
    return [Number((argument >> 32n) & 0xffff_ffffn), Number(argument & 0xffff_ffffn)];
  }
  return [Math.floor(argument / 2 ** 32), argument >>> 0];
}
