/**
 * The main program: one thread for all actors, and this one, which reads standard input. So the
 * end of the input is seen and Trace is answered also while an actor computes.
 */
import { Worker } from "node:worker_threads";
import { lines } from "./control/lines.ts";
import type { Answer, Call } from "./control/port.ts";
import { ends, Reader } from "./control/shared.ts";
import { now } from "./control/stopwatch.ts";
import { trace } from "./control/trace.ts";

/** Milliseconds after the end of the input in which a last answer may still be given. */
const GRACE = 100;

const { writer, reader } = ends();
const logs = new Reader(reader);
const actors = new Worker(new URL("./control/actors.js", import.meta.url), {
  workerData: writer,
  transferList: [writer],
});

function write(answer: Answer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

actors.on("message", write);
actors.on("error", (error) => {
  console.error(error);
  process.exit(1);
});

function take(line: string): void {
  const taken = now();
  const asked = JSON.parse(line) as Omit<Call, "taken">;
  if (asked.call !== "trace") {
    actors.postMessage({ ...asked, taken } satisfies Call);
    return;
  }
  for (const item of trace(logs)) write({ id: asked.id, item });
  write({ id: asked.id, end: true });
}

lines(process.stdin, take, () => setTimeout(() => process.exit(0), GRACE));
