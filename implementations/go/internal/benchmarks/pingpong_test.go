package benchmarks

import (
	"testing"

	"dramaturg/internal/control/pb"
)

func TestValuesThatAreShiftedHaveTheSameSum(t *testing.T) {
	for _, shift := range []uint32{0, 16, 32} {
		benchmark := &pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{
			Pingpong: &pb.PingPongParameters{Rounds: 2, Shift: shift}}}
		receipt, _ := play(t, benchmark, 42, nil)
		if sum := receipt.GetDone().Arguments[1]; sum != 3415947900 {
			t.Errorf("shifted by %d bits: %d instead of 3415947900", shift, sum)
		}
	}
}
