/** A world: one iteration, from Prepare to Teardown (spec/control.md). */
import type { Benchmark, Parameters } from "../benchmarks/benchmark.ts";
import { benchmarks } from "../benchmarks/catalogue.ts";
import type { Mailbox, Message } from "../benchmarks/mailbox.ts";
import { System } from "../benchmarks/system.ts";
import { Log, type Watch } from "./log.ts";
import { Marks, Reports } from "./reports.ts";
import type { Writer } from "./shared.ts";
import { between, now, Stopwatch } from "./stopwatch.ts";

/** Nanoseconds without a change after which actors that are alive are taken not to end (CTRL-17). */
const PATIENCE = 1_000_000_000;

/** `Prepare`, as far as it is used here. */
export interface Preparation {
  readonly benchmark: Readonly<Record<string, Parameters>>;
  readonly watches: readonly Watch[];
}

/** `Act`. */
export interface Act {
  readonly client: number;
  readonly choice: number;
  readonly index: number;
  readonly k: number;
}

export class World {
  readonly #name: string;
  readonly #benchmark: Benchmark;
  readonly #stopwatch = new Stopwatch();
  readonly #reports = new Reports(this.#stopwatch);
  readonly #system: System;
  readonly #lead: Mailbox;

  constructor({ benchmark, watches }: Preparation, writer: Writer) {
    const [name, parameters] = Object.entries(benchmark)[0] ?? ["", {}];
    const chosen = benchmarks[name];
    if (chosen === undefined) throw new Error(`no benchmark is called "${name}"`);
    this.#name = name;
    this.#benchmark = new chosen(parameters);
    this.#system = new System(new Log(writer, watches), this.#stopwatch, this.#reports);
    this.#lead = this.#benchmark.populate(this.#system);
  }

  /** Returns when the world is set up and quiet (CTRL-4). */
  async prepare(): Promise<void> {
    const message = this.#benchmark.prepare();
    if (message !== undefined) await this.#say(message, 1);
  }

  /** One client acts. */
  async act({ client, choice, index, k }: Act): Promise<void> {
    await this.#say(this.#benchmark.act(client, choice, index, k), 1);
  }

  /** Every client acts. */
  async turn(): Promise<void> {
    await this.#say(this.#benchmark.turn(), 1);
  }

  /** The whole benchmark, with marks (CTRL-6). `taken` is when the call was. */
  async run(salt: number, taken: bigint, mark: (done: number) => void): Promise<void> {
    const message = this.#benchmark.start(salt);
    this.#reports.marks = new Marks(taken, mark);
    this.#stopwatch.start();
    await this.#say(message, this.#benchmark.reports);
    if (this.#benchmark.marked > 0) mark(this.#benchmark.marked);
  }

  /** Ends the iteration; its receipt (CTRL-8). */
  async teardown(taken: bigint): Promise<object> {
    this.#reports.raise();
    const message = this.#benchmark.disconnect();
    if (message !== undefined) {
      if (this.#benchmark.finishes) await this.#say(message, 1);
      else this.#lead.put(message);
    }
    const ended = await this.#settled();
    this.#reports.raise();
    return {
      ...this.#own(),
      run_nanos: this.#stopwatch.runNanos,
      teardown_nanos: between(taken, ended),
      alive: this.#system.alive,
    };
  }

  /** The benchmark's own receipt, under its name or `done`. */
  #own(): object {
    const { windows } = this.#reports;
    const { turnNanos, windowNanos } = this.#stopwatch;
    const own = this.#benchmark.receipt(this.#reports);
    if (own !== undefined) return { [this.#name]: { ...own, turn_nanos: turnNanos } };
    const done = {
      benchmark: this.#name,
      ...this.#benchmark.done(this.#reports),
      ...(windows.length > 0 && { windows, window_nanos: windowNanos }),
    };
    return { done };
  }

  /** Sends the lead a message and waits for the reports that complete it. */
  async #say(message: Message, reports: number): Promise<void> {
    const complete = this.#reports.complete(reports);
    this.#lead.put(message);
    await complete;
  }

  /** When the last actor ended, or the last that did if not all do. */
  async #settled(): Promise<bigint> {
    let alive = this.#system.alive;
    let changed = now();
    while (alive > 0 && between(changed, now()) < PATIENCE) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (this.#system.alive !== alive) [alive, changed] = [this.#system.alive, now()];
    }
    return changed;
  }
}
