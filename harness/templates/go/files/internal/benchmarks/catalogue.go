package benchmarks

import (
	"fmt"

	"dramaturg/internal/control/pb"
)

// Of makes the benchmark that Prepare asks for.
func Of(benchmark *pb.Benchmark) Benchmark {
	switch p := benchmark.Parameters.(type) {
	case *pb.Benchmark_Pingpong:
		return pingPongBenchmark{PingPongParameters: p.Pingpong}
	}
	panic(fmt.Sprintf("no benchmark of type %T", benchmark.Parameters))
}

// Answer answers a probe of what a benchmark's actors do (LEVEL-1). Broker and the open load have one
// each.
func Answer(probe *pb.Probe) []uint64 {
	panic(fmt.Sprintf("no probe of type %T", probe.Probe))
}
