/** What actors say to control, and the call that waits for it (ACT-7). */
import type { Said } from "../benchmarks/benchmark.ts";
import type { Control } from "../benchmarks/system.ts";
import { between, now, type Stopwatch } from "./stopwatch.ts";

/** Nanoseconds between two marks, at least (CTRL-6). */
const MARK_INTERVAL = 100_000_000;

/** An actor failed: its name and the reason (CTRL-10). */
export class ActorFailed extends Error {}

/** Says how far a run is, as often as it is due. */
export class Marks {
  readonly #say: (done: number) => void;
  #last: bigint;

  constructor(taken: bigint, say: (done: number) => void) {
    this.#last = taken;
    this.#say = say;
  }

  /** A report has come. */
  seen(done: number): void {
    const at = now();
    if (between(this.#last, at) < MARK_INTERVAL) return;
    this.#last = at;
    this.#say(done);
  }
}

/** Of one world. */
export class Reports implements Control, Said {
  readonly #stopwatch: Stopwatch;
  #due = 0;
  #complete: (() => void) | undefined;
  #failure: string | undefined;
  marks: Marks | undefined;
  turns = 0;
  sums: [number, number, number, number] = [0, 0, 0, 0];
  counts: readonly number[] = [];
  readonly windows: number[] = [];

  constructor(stopwatch: Stopwatch) {
    this.#stopwatch = stopwatch;
  }

  ready(): void {
    this.#come();
  }

  confirmed(value: number, stops: number, announced: number, consumed: number): void {
    const [a, b, c, d] = this.sums;
    this.sums = [a + value, b + stops, (c + announced) >>> 0, (d + consumed) >>> 0];
    this.turns++;
    this.#progress(this.turns);
  }

  window(number: number, count: number): void {
    this.windows.push(count);
    this.#progress(number + 1);
  }

  done(...counts: number[]): void {
    this.#stopwatch.stop();
    this.counts = counts;
    this.#come();
  }

  fail(reason: string): void {
    this.#failure ??= reason;
    this.#complete?.();
  }

  /** Waits until so many reports have come. Throws ActorFailed, also for what failed before. */
  async complete(due: number): Promise<void> {
    this.#due = due;
    this.raise();
    await new Promise<void>((resolve) => {
      this.#complete = resolve;
    });
    this.#complete = undefined;
    this.raise();
  }

  /** Throws ActorFailed if an actor has failed. */
  raise(): void {
    if (this.#failure !== undefined) throw new ActorFailed(this.#failure);
  }

  #progress(done: number): void {
    this.marks?.seen(done);
    this.#come();
  }

  #come(): void {
    this.#due--;
    if (this.#due === 0) this.#complete?.();
  }
}
