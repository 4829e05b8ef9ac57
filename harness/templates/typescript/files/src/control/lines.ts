/** Lines of a stream, however it is cut. */
import type { Readable } from "node:stream";

const LINE_FEED = 10;

/** Calls `take` for each whole line, and `end` when the stream ends. */
export function lines(stream: Readable, take: (line: string) => void, end: () => void): void {
  let pieces: Buffer[] = [];
  stream.on("data", (data: Buffer) => {
    let begin = 0;
    for (let at = data.indexOf(LINE_FEED); at >= 0; at = data.indexOf(LINE_FEED, begin)) {
      const line = Buffer.concat([...pieces, data.subarray(begin, at)]);
      pieces = [];
      begin = at + 1;
      take(line.toString("utf8"));
    }
    if (begin < data.length) pieces.push(data.subarray(begin));
  });
  stream.on("end", end);
}
