/** Describe: what runtime this is, and answers to questions of arithmetic. */
import { fibonacci } from "../benchmarks/fibonacci.ts";
import { fold } from "../benchmarks/fold.ts";
import { Lcg } from "../benchmarks/lcg.ts";

/** One member is there. */
export interface Probe {
  readonly lcg?: { readonly seed: number; readonly moduli: readonly number[] };
  readonly shuffle?: { readonly seed: number; readonly length: number };
  readonly fibonacci?: { readonly n: number };
  readonly fold?: { readonly salt: number; readonly numbers: readonly number[] };
}

/** The answer to a call of Describe. */
export function describe(probes: readonly Probe[]): object {
  return {
    runtime: "Node.js",
    runtime_version: process.versions.node,
    schedulers: 1,
    details: { v8: process.versions.v8, platform: `${process.platform}-${process.arch}` },
    answers: probes.map((probe) => ({ values: answer(probe) })),
  };
}

/** The draws; the shuffled list and then the state; the one number. */
export function answer({ lcg, shuffle, fibonacci: fib, fold: folds }: Probe): number[] {
  if (lcg !== undefined) {
    const generator = new Lcg(lcg.seed);
    return lcg.moduli.map((modulus) => generator.nextInt(modulus));
  }
  if (shuffle !== undefined) {
    const generator = new Lcg(shuffle.seed);
    const items = Array.from({ length: shuffle.length }, (_, place) => place);
    generator.shuffle(items);
    return [...items, generator.state];
  }
  if (fib !== undefined) return [fibonacci(fib.n)];
  if (folds !== undefined) return [folds.numbers.reduce(fold, folds.salt)];
  throw new Error("a probe that is not known");
}
