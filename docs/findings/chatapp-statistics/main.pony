// The published program hands the times of turns to these statistics as they come in, unsorted.
use "util"

actor Main
  new create(env: Env) =>
    let sorted = SampleStats([as F64: 1; 2; 3; 4; 100]).median()
    let unsorted = SampleStats([as F64: 1; 2; 100; 3; 4]).median()
    env.out.print("Pony: the median of 1, 2, 3, 4, 100 is " + sorted.string()
      + ", and of 1, 2, 100, 3, 4 it is " + unsorted.string())
    let single = SampleStats([as F64: 5]).err()
    env.out.print("Pony: one sample has an error of " + single.string() + " %")
    let three = SampleStats([as F64: 9; 10; 11]).err()
    env.out.print("Pony: 9, 10, 11 have an error of " + three.string()
      + " % (Student's t: 24.8 %)")
    env.exitcode(if sorted != unsorted then 1 else 0 end)
