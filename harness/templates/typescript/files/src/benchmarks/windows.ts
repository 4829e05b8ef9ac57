/** The windowed form of ping-pong, big and bang (spec/windows.md). */
import type { Actor } from "./actor.ts";
import { Benchmark, type Parameters } from "./benchmark.ts";

/** A benchmark that has both forms. */
export abstract class Windowed extends Benchmark {
  readonly windows: number;
  /** Milliseconds. */
  readonly window: number;

  constructor(parameters: Parameters) {
    super();
    this.windows = Number(parameters["windows"]);
    this.window = Number(parameters["window"]);
  }

  override get reports(): number {
    return this.windows + 1;
  }

  override get marked(): number {
    return this.windows;
  }
}

/** A lead's windows; none of them in the counted form. */
export class Windows {
  readonly number: number;
  readonly #lead: Actor;
  readonly #millis: number;

  constructor(lead: Actor, form: Windowed) {
    this.#lead = lead;
    this.#millis = form.window;
    this.number = form.windows;
  }

  /** The run begins, and with it the first window (WIN-1). */
  begin(): void {
    if (this.number > 0) this.#lead.sendLater(this.#millis, "tick", 0);
  }

  /** The lead has taken `tick`: takes the stamp and begins the next. Whether it was the last. */
  ended(number: number): boolean {
    this.#lead.system.stopwatch.tick();
    const last = number + 1 === this.number;
    if (!last) this.#lead.sendLater(this.#millis, "tick", number + 1);
    return last;
  }
}
