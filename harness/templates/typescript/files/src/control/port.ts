/**
 * The control port in the actors' thread: calls and their answers (spec/stdio.md), one after the
 * other. `Trace` is answered by the thread that reads standard input.
 */
import type { MessagePort } from "node:worker_threads";
import { describe, type Probe } from "./describe.ts";
import { ActorFailed } from "./reports.ts";
import { Writer } from "./shared.ts";
import { between, now } from "./stopwatch.ts";
import { World, type Act, type Preparation } from "./world.ts";

/** A line of standard input, and when it was taken. */
export interface Call {
  readonly id: number;
  readonly call: string;
  // Each call's own message: the harness sends no wrong one (CTRL-2).
  readonly request: unknown;
  readonly taken: bigint;
}

/** A line of standard output, but for the call's number. */
export type Answer = { readonly id: number } & Readonly<Record<string, unknown>>;

export class Port {
  readonly #logs: MessagePort;
  readonly #write: (answer: Answer) => void;
  #world: World | undefined;

  constructor(logs: MessagePort, write: (answer: Answer) => void) {
    this.#logs = logs;
    this.#write = write;
  }

  /** Answers a call. */
  async take({ id, call, request, taken }: Call): Promise<void> {
    try {
      if (call === "run") {
        const { salt } = request as { salt: number };
        await this.#there.run(salt, taken, (done) => this.#write({ id, item: { mark: { done } } }));
        this.#write({ id, end: true });
      } else {
        this.#write({ id, reply: await this.#reply(call, request, taken) });
      }
    } catch (error) {
      if (!(error instanceof ActorFailed)) console.error(error);
      const reason = error instanceof ActorFailed ? error.message : `control failed: ${String(error)}`;
      this.#write({ id, error: reason });
    }
  }

  async #reply(call: string, request: unknown, taken: bigint): Promise<object> {
    switch (call) {
      case "describe":
        return describe((request as { probes: Probe[] }).probes);
      case "prepare":
        this.#world = new World(request as Preparation, new Writer(this.#logs));
        await this.#world.prepare();
        return { setup_nanos: between(taken, now()) };
      case "act":
        await this.#there.act(request as Act);
        return {};
      case "turn":
        await this.#there.turn();
        return {};
      case "teardown":
        return { receipt: await this.#there.teardown(taken) };
      default:
        throw new Error(`${call} is no call`);
    }
  }

  get #there(): World {
    if (this.#world === undefined) throw new Error("no world is prepared");
    return this.#world;
  }
}
