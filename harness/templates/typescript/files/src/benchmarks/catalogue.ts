/** All benchmarks, by the names of the protocol. One more is a line here and a file beside. */
import type { Benchmark, Parameters } from "./benchmark.ts";
import { PingPong } from "./pingpong.ts";

export const benchmarks: Readonly<Record<string, new (parameters: Parameters) => Benchmark>> = {
  pingpong: PingPong,
};
