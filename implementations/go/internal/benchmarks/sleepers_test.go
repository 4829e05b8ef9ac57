package benchmarks

import (
	"reflect"
	"testing"

	"dramaturg/internal/control/pb"
)

var sleepersRun = &pb.Benchmark{Parameters: &pb.Benchmark_Sleepers{Sleepers: &pb.SleepersParameters{
	Sleepers: 1, Naps: 2, Delay: 5}}}

// Its receipt has a time, so the small run of the chapter is compared but for this.
func TestTheSmallRunOfTheSleepersHasItsReceipt(t *testing.T) {
	receipt, _ := play(t, sleepersRun, 42, nil)
	said := receipt.GetDone()
	if !reflect.DeepEqual(said.Arguments, []uint64{2, 1972876022}) {
		t.Errorf("the receipt is %v", said)
	}
	if said.ShortestNanos < 5e6 {
		t.Errorf("the shortest nap took %d ns", said.ShortestNanos)
	}
	checkEvents(t, sleepersRun)
}
