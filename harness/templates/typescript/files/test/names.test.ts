/** Names of actors (ACT-3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { high, low, spell } from "../src/benchmarks/names.ts";
import { ActorClass } from "../src/benchmarks/table.ts";

test("a name is class and two indices", () => {
  const name = { actorClass: ActorClass.chat, first: 17, second: 2 };
  const whole = (BigInt(high(name)) << 32n) | BigInt(low(name));
  assert.equal(whole, (5n << 56n) | (17n << 24n) | 2n);
});

test("both indices at their largest leave the class alone", () => {
  const name = { actorClass: 127, first: 0xffff_ffff, second: 0xff_ffff };
  assert.deepEqual([high(name), low(name)], [0x7fff_ffff, 0xffff_ffff]);
});

test("names are spelt with the second index where the class has one", () => {
  assert.equal(spell({ actorClass: ActorClass.client, first: 17, second: 0 }), "client/17");
  assert.equal(spell({ actorClass: ActorClass.chat, first: 17, second: 0 }), "chat/17.0");
});
