/** The stopwatch: all stamps of an iteration, in nanoseconds of one monotonic clock (MEAS-1). */
export const now: () => bigint = process.hrtime.bigint;

/** Nanoseconds from one stamp to another: below 2^53, which is a hundred days. */
export function between(begin: bigint, end: bigint): number {
  return Number(end - begin);
}

/** The stamps of one world. */
export class Stopwatch {
  #start: bigint | undefined;
  #stop: bigint | undefined;
  readonly #ticks: bigint[] = [];
  readonly #begun: bigint[] = [];
  readonly #ended: bigint[] = [];

  /** Control is about to hand the run's first message over (S). */
  start(): void {
    this.#start = now();
  }

  /** The lead has taken `tick` (W). */
  tick(): void {
    this.#ticks.push(now());
  }

  /** The lead has done what it must upon its last message (E); the first time counts. */
  stop(): void {
    this.#stop ??= now();
  }

  /** The poker is about to spawn the next turn's accumulator (B). */
  turnBegins(): void {
    this.#begun.push(now());
  }

  /** The poker has taken this turn's `confirm` (C). */
  turnEnds(turn: number): void {
    this.#ended[turn] = now();
  }

  /** How long each turn took (MEAS-2). */
  get turnNanos(): number[] {
    return this.#begun.map((begun, turn) => between(begun, this.#ended[turn] ?? begun));
  }

  /** How long each window lasted (WIN-3). */
  get windowNanos(): number[] {
    const begins = [this.#start ?? 0n, ...this.#ticks];
    return this.#ticks.map((end, window) => between(begins[window] ?? end, end));
  }

  /** From S to E (MEAS-3); 0 without a run. */
  get runNanos(): number {
    if (this.#start === undefined) return 0;
    const [first] = this.#begun;
    if (first === undefined) return between(this.#start, this.#stop ?? this.#start);
    return between(first, this.#ended.reduce((a, b) => (a > b ? a : b), first));
  }
}
