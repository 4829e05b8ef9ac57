/** The questions of level 0, with the answers of `vectors.json`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fibonacci } from "../src/benchmarks/fibonacci.ts";
import { checksum, payloadDigest } from "../src/benchmarks/fold.ts";
import { answer } from "../src/control/describe.ts";

/** Fibonacci numbers that take more calls are left to level 0. */
const CALLS = 300_000;

const LARGEST = (1n << 64n) - 1n;

/** Of each question the fields that it has. */
interface Vector {
  readonly seed: number;
  readonly length: number;
  readonly moduli: number[];
  readonly values: number[];
  readonly state: number;
  readonly salt: number;
  readonly numbers: number[];
  readonly digest: number;
  readonly n: number;
  readonly calls: number;
  readonly value: number;
  readonly start: number;
  readonly checksum: number;
  readonly payload: number;
}

// `npm test` runs where package.json is.
const vectors = JSON.parse(readFileSync("test/vectors.json", "utf8")) as Record<string, Vector[]>;

function each(about: string, check: (vector: Vector) => void): void {
  const asked = vectors[about] ?? [];
  assert.notEqual(asked.length, 0);
  for (const vector of asked) test(`${about} ${JSON.stringify(vector)}`, () => check(vector));
}

each("lcg", (vector) => assert.deepEqual(answer({ lcg: vector }), vector.values));

each("shuffle", (vector) => {
  assert.deepEqual(answer({ shuffle: vector }), [...vector.values, vector.state]);
});

each("fold", (vector) => assert.deepEqual(answer({ fold: vector }), [vector.digest]));

each("fibonacci", (vector) => {
  if (vector.calls <= CALLS) assert.equal(fibonacci(vector.n), vector.value);
});

each("checksum", (vector) => {
  assert.equal(checksum(vector.start, vector.numbers), vector.checksum);
});

each("payload", (vector) => {
  // JSON.parse reads doubles. Of the largest payload all bits are set, which is no double.
  const payload = Number.isSafeInteger(vector.payload) ? BigInt(vector.payload) : LARGEST;
  assert.equal(payloadDigest(payload), vector.digest);
});

test("a probe that is not known is refused", () => {
  assert.throws(() => answer({}), /not known/);
});
