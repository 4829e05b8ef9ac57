/** Watches and logs (TRACE-1 to TRACE-3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessagePort } from "node:worker_threads";
import type { Name } from "../src/benchmarks/names.ts";
import { ActorClass, MessageKind } from "../src/benchmarks/table.ts";
import { Log, type Watch } from "../src/control/log.ts";
import { ends, Reader, Writer } from "../src/control/shared.ts";
import { trace } from "../src/control/trace.ts";

const ALL = 0xffff_ffff;
const KIND = { number: MessageKind.pong_ping, arity: 2 };

function named(actorClass: number, first = 0): Name {
  return { actorClass, first, second: 0 };
}

function watch(changes: Partial<Watch> = {}): Watch {
  const everybody = { class: 0, modulus: 1, remainder: 0, first: 0, last: ALL, from: 0, events: ALL };
  return { ...everybody, ...changes };
}

/** A world's logs, and what Trace answers. */
class World {
  readonly log: Log;
  readonly #reader: Reader;
  readonly #ports: readonly MessagePort[];

  constructor(...watches: Watch[]) {
    const { writer, reader } = ends();
    this.log = new Log(new Writer(writer), watches);
    this.#reader = new Reader(reader);
    this.#ports = [writer, reader];
  }

  take(actor: Name, messages: number): void {
    const log = this.log.born(actor);
    for (let i = 0; i < messages; i++) log?.take(named(ActorClass.ping), KIND, [i, i + 1]);
  }

  trace(): any[] {
    return [...trace(this.#reader)];
  }

  end(): void {
    for (const port of this.#ports) port.close();
  }
}

test("the first row that fits is the only one", () => {
  const world = new World(
    watch({ class: ActorClass.pong, from: 1, events: 1 }),
    watch({ class: ActorClass.pong }),
  );
  world.take(named(ActorClass.pong), 5);
  const [batch, counts, footer] = world.trace();
  assert.deepEqual(batch.batch.args, [1, 2]);
  assert.deepEqual(counts.counts.taken, [5]);
  assert.deepEqual(footer, { footer: { events: 1, watched: 1 } });
  world.end();
});

test("who fits no watch has no log", () => {
  const world = new World(
    watch({ class: ActorClass.client, modulus: 3, remainder: 1, first: 2, last: 7 }),
  );
  for (let first = 0; first < 12; first++) world.take(named(ActorClass.client, first), 1);
  world.take(named(ActorClass.directory, 4), 1);
  const [, counts] = world.trace();
  const names = [4n, 7n].map((first) => ((4n << 56n) | (first << 24n)).toString());
  assert.deepEqual(counts.counts.actor, names);
  world.end();
});

test("what was delivered comes once, and counts come each time", () => {
  const world = new World(watch());
  world.take(named(ActorClass.pong), 2);
  assert.equal(world.trace().length, 3);
  const [counts, footer] = world.trace();
  assert.deepEqual(counts.counts.taken, [2]);
  assert.deepEqual(footer, { footer: { events: 0, watched: 1 } });
  world.end();
});

test("a log of many chunks comes whole and in order, in batches of a bounded size", () => {
  const world = new World(watch());
  const rows = 200_000;
  world.take(named(ActorClass.pong), rows);
  const items = world.trace();
  const args = items.flatMap((item) => item.batch?.args ?? []);
  assert.equal(args.length, 2 * rows);
  assert.ok(args.every((arg, i) => arg === (i >> 1) + (i & 1)));
  assert.ok(items.every((item) => (item.batch?.kind.length ?? 0) <= 65_536));
  world.end();
});

test("numbers of 64 bits are digits", () => {
  const world = new World(watch());
  const largest = (1n << 64n) - 1n;
  world.log.born(named(ActorClass.pong))?.take(named(ActorClass.ping), KIND, [largest, 2 ** 32 + 7]);
  assert.deepEqual(world.trace()[0].batch.args, [largest.toString(), 2 ** 32 + 7]);
  world.end();
});
