/**
 * Logs in memory that two threads share: actors write, and Trace reads while they compute (CTRL-9).
 *
 * Chunks of 32-bit words. The first word says how many words of the chunk can be read; what is
 * below it never changes, but for the counts themselves.
 */
import { MessageChannel, receiveMessageOnPort, type MessagePort } from "node:worker_threads";

const WORDS = 1 << 18;

/** Words of a row before its arguments: kind, arguments, actor, sender. */
const ROW = 6;

/** Words of a count: the actor's name, and how many messages it has taken, the low word first. */
const COUNT = 4;

type Chunk = { readonly of: "rows" | "counts"; readonly words: Uint32Array };

/** The writer's end and the reader's, of a channel that says which chunks there are. */
export function ends(): { readonly writer: MessagePort; readonly reader: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  return { writer: port1, reader: port2 };
}

/** Where the logs of one world are written. */
export class Writer {
  readonly #port: MessagePort;
  #rows: Uint32Array | undefined;
  #counts: Uint32Array | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.postMessage("a new world");
  }

  /** A row of the log: words of 64 bits as pairs, the high one first. */
  row(kind: number, words: readonly number[]): void {
    const chunk = (this.#rows = this.#room("rows", this.#rows, words.length + 2));
    let at = chunk[0] as number;
    chunk[at++] = kind;
    chunk[at++] = words.length / 2 - 2;
    for (const word of words) chunk[at++] = word;
    Atomics.store(chunk, 0, at);
  }

  /** A watched actor was born. What counts the messages that it takes. */
  counter(high: number, low: number): Counter {
    const chunk = (this.#counts = this.#room("counts", this.#counts, COUNT));
    const at = chunk[0] as number;
    chunk[at] = high;
    chunk[at + 1] = low;
    Atomics.store(chunk, 0, at + COUNT);
    return new Counter(chunk, at + 2);
  }

  #room(of: Chunk["of"], chunk: Uint32Array | undefined, words: number): Uint32Array {
    if (chunk !== undefined && (chunk[0] as number) + words <= WORDS) return chunk;
    const made = new Uint32Array(new SharedArrayBuffer(4 * WORDS));
    made[0] = 1;
    this.#port.postMessage({ of, words: made } satisfies Chunk);
    return made;
  }
}

/** How many messages one actor has taken, in 64 bits. */
export class Counter {
  readonly #words: Uint32Array;
  readonly #at: number;

  constructor(words: Uint32Array, at: number) {
    this.#words = words;
    this.#at = at;
  }

  /** One more. */
  count(): void {
    if (Atomics.add(this.#words, this.#at, 1) === 0xffff_ffff) {
      Atomics.add(this.#words, this.#at + 1, 1);
    }
  }
}

/** A number of 64 bits as JSON has it: digits, in a string where a double is not exact. */
type Digits = number | string;

export interface Batch {
  readonly actor: Digits[];
  readonly sender: Digits[];
  readonly kind: number[];
  readonly args: Digits[];
}

export interface Counts {
  readonly actor: Digits[];
  readonly taken: Digits[];
}

/** What can be read of the logs of the last world. */
export class Reader {
  readonly #port: MessagePort;
  #rows: { readonly words: Uint32Array; read: number }[] = [];
  #counts: Uint32Array[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** What was logged since this was last asked, at most so many rows in a batch. */
  *batches(most: number): Generator<Batch> {
    this.#look();
    let batch = empty();
    for (const chunk of this.#rows) {
      const end = Atomics.load(chunk.words, 0);
      while (chunk.read < end) {
        chunk.read = take(chunk.words, chunk.read, batch);
        if (batch.kind.length === most) {
          yield batch;
          batch = empty();
        }
      }
    }
    this.#rows.splice(0, this.#rows.length - 1);
    if (batch.kind.length > 0) yield batch;
  }

  /** Everybody who is watched, and how many messages each has taken. */
  *counts(most: number): Generator<Counts> {
    this.#look();
    let counts: Counts = { actor: [], taken: [] };
    for (const words of this.#counts) {
      for (let at = 1; at < Atomics.load(words, 0); at += COUNT) {
        counts.actor.push(digits(word(words, at), word(words, at + 1)));
        counts.taken.push(digits(Atomics.load(words, at + 3), Atomics.load(words, at + 2)));
        if (counts.actor.length === most) {
          yield counts;
          counts = { actor: [], taken: [] };
        }
      }
    }
    if (counts.actor.length > 0) yield counts;
  }

  /** Chunks that were announced, without waiting for the event loop to bring them. */
  #look(): void {
    for (;;) {
      const said = receiveMessageOnPort(this.#port)?.message as Chunk | string | undefined;
      if (said === undefined) return;
      if (typeof said === "string") [this.#rows, this.#counts] = [[], []];
      else if (said.of === "rows") this.#rows.push({ words: said.words, read: 1 });
      else this.#counts.push(said.words);
    }
  }
}

function empty(): Batch {
  return { actor: [], sender: [], kind: [], args: [] };
}

/** Puts the row at this place into a batch; the place of the next. */
function take(words: Uint32Array, at: number, batch: Batch): number {
  const end = at + ROW + 2 * word(words, at + 1);
  batch.kind.push(word(words, at));
  batch.actor.push(digits(word(words, at + 2), word(words, at + 3)));
  batch.sender.push(digits(word(words, at + 4), word(words, at + 5)));
  for (let arg = at + ROW; arg < end; arg += 2) {
    batch.args.push(digits(word(words, arg), word(words, arg + 1)));
  }
  return end;
}

function word(words: Uint32Array, at: number): number {
  return words[at] as number;
}

function digits(high: number, low: number): Digits {
  if (high < 1 << 21) return high * 2 ** 32 + low;
  return ((BigInt(high) << 32n) | BigInt(low)).toString();
}
