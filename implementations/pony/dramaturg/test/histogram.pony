use "pony_test"
use "../arithmetic"

class iso _BucketsAreThoseOfTheChapter is UnitTest
  fun name(): String => "histogram: buckets are those of OPEN-5"

  fun apply(h: TestHelper) =>
    for (nanos, bucket) in
      [ as (U64, USize): (0, 0); (255, 255); (256, 256); (257, 256); (1000, 506)
        (1_000_000_000, 3054) ].values()
    do
      h.assert_eq[USize](bucket, Histogram.bucket(nanos), nanos.string())
    end
    h.assert_array_eq[U64](
      [0; 2; 0; 1], Histogram.of([0; 1; 4], [8; 11; 12], 7).counts)
