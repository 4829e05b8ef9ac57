package benchmarks

import "dramaturg/internal/control/pb"

// The small runs of the chapters.
var smallRuns = map[string]smallRun{
	"pingpong": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{Pingpong: &pb.PingPongParameters{Rounds: 2}}},
		[]uint64{2, 3415947900},
	},
}

// The benchmarks that have windows.
var windowedRuns = map[string]windowedRun{
	"pingpong": {
		func(number, milliseconds uint32) *pb.Benchmark {
			return &pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{Pingpong: &pb.PingPongParameters{
				Windows: number, Window: milliseconds}}}
		},
		2,
		0,
	},
}
