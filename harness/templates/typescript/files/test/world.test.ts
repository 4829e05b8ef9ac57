/** Worlds from Prepare to Teardown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fold } from "../src/benchmarks/fold.ts";
import { Port, type Answer } from "../src/control/port.ts";
import { ends } from "../src/control/shared.ts";
import { now } from "../src/control/stopwatch.ts";

/** Makes calls, one after the other; all that was answered to the last. */
async function session(...calls: [string, object][]): Promise<Answer[]> {
  const { writer, reader } = ends();
  let answers: Answer[] = [];
  const port = new Port(writer, (answer) => answers.push(answer));
  for (const [id, [call, request]] of calls.entries()) {
    answers = [];
    await port.take({ id, call, request, taken: now() });
  }
  writer.close();
  reader.close();
  return answers;
}

function world(parameters: object, salt = 42): [string, object][] {
  return [
    ["prepare", { benchmark: { pingpong: parameters }, watches: [] }],
    ["run", { salt }],
    ["teardown", {}],
  ];
}

function receipt(answers: Answer[]): any {
  return (answers[0]?.["reply"] as { receipt: object }).receipt;
}

test("ping-pong counts its rounds, adds up what comes back, and ends", async () => {
  const { done, alive } = receipt(await session(...world({ rounds: 9, windows: 0, window: 0 })));
  let sum = 0;
  for (let r = 0; r < 9; r++) sum = (sum + fold(fold(42, r), r)) >>> 0;
  assert.deepEqual([done, alive], [{ benchmark: "pingpong", arguments: [9, sum] }, 0]);
});

test("windows are no shorter than asked for, and hold all but two rounds", async () => {
  const { done } = receipt(await session(...world({ rounds: 0, windows: 3, window: 20 })));
  assert.ok(done.window_nanos.every((nanos: number) => nanos >= 20_000_000));
  assert.equal(done.arguments[0], done.windows.reduce((a: number, b: number) => a + b) + 2);
});

test("a call that fails is answered with the reason", async () => {
  const [answer] = await session(...world({ rounds: 1, windows: 0, window: 0 }).slice(0, 1), ["turn", {}]);
  assert.match(String(answer?.["error"]), /PingPong has no turns/);
});
