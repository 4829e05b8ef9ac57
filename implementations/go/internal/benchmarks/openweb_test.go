package benchmarks

import (
	"testing"

	"dramaturg/internal/control/pb"
)

var openRun = &pb.Benchmark{Parameters: &pb.Benchmark_Openweb{Openweb: &pb.OpenWebParameters{
	Servers: 2, Requests: 2, Gap: 1000, Seed: 42, FibN: 6}}}

// Its receipt has times, so the small run of the chapter is compared but for these.
func TestTheSmallRunOfTheOpenLoadHasItsReceipt(t *testing.T) {
	receipt, _ := play(t, openRun, 42, nil)
	said := receipt.GetOpenweb()
	if said.Answers != 2 || said.Sum != 2935558185 || said.ServersUsed != 2 {
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
