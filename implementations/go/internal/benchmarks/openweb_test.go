package benchmarks

import (
	"reflect"
	"testing"

	"dramaturg/internal/control/pb"
)

var openRun = &pb.Benchmark{Parameters: &pb.Benchmark_Openweb{Openweb: &pb.OpenWebParameters{
	Servers: 2, Requests: 2, Gap: 1000, Seed: 42, FibN: 6}}}

// Its receipt has times, so the small run of the chapter is compared but for these.
func TestTheSmallRunOfTheOpenLoadHasItsReceipt(t *testing.T) {
	receipt, _ := play(t, openRun, 42, nil)
	said := receipt.GetDone()
	if !reflect.DeepEqual(said.Arguments, []uint64{2, 2935558185, 2}) {
		t.Errorf("the receipt is %v", said)
	}
	for _, counts := range [][]uint64{said.Latency, said.Lateness} {
		total := uint64(0)
		for _, count := range counts {
			total += count
		}
		if total != 2 {
			t.Errorf("a histogram counts %d requests instead of 2", total)
		}
	}
	checkEvents(t, openRun)
}

func TestTimesAreInTheBucketsOfTheChapter(t *testing.T) {
	for nanos, bucket := range map[uint64]int{0: 0, 255: 255, 256: 256, 257: 256, 258: 257, 1000: 506, 1e9: 3054} {
		if found := bucketOf(nanos); found != bucket {
			t.Errorf("%d ns are in bucket %d instead of %d", nanos, found, bucket)
		}
	}
}

func TestArrivalsAreThoseOfTheChapter(t *testing.T) {
	if due := arrivals(3, 1000, 42); due[0] != 52008 || due[1] != 2924682 || due[2] != 3085009 {
		t.Errorf("requests are due at %v", due)
	}
}

func TestLatenciesAreInTheBucketsOfTheVectors(t *testing.T) {
	for _, vector := range readVectors(t).Latency {
		probe := &pb.Probe{Probe: &pb.Probe_Latencies_{Latencies: &pb.Probe_Latencies{
			Due: vector.Due, Answered: vector.Answered}}}
		counts := Answer(probe)
		for _, bucket := range vector.Buckets {
			if bucket >= uint64(len(counts)) || counts[bucket] != 1 {
				t.Errorf("due at %d, answered at %v: not counted in bucket %d",
					vector.Due, vector.Answered, bucket)
			}
		}
		if last := vector.Buckets[len(vector.Buckets)-1]; uint64(len(counts)) != last+1 {
			t.Errorf("%d buckets instead of %d", len(counts), last+1)
		}
	}
}
