/** The answer to Trace (TRACE-3). */
import type { Reader } from "./shared.ts";

/** Of a batch and of a message of counts, at most (spec/stdio.md). */
const ROWS = 65_536;

/** What was logged since the last time, how much each has taken, and the footer. */
export function* trace(reader: Reader): Generator<object> {
  let events = 0;
  let watched = 0;
  for (const batch of reader.batches(ROWS)) {
    events += batch.kind.length;
    yield { batch };
  }
  for (const counts of reader.counts(ROWS)) {
    watched += counts.actor.length;
    yield { counts };
  }
  yield { footer: { events, watched } };
}
