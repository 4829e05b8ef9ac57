package benchmarks

import (
	"fmt"

	"dramaturg/internal/control/pb"
)

// Of makes the benchmark that Prepare asks for.
func Of(benchmark *pb.Benchmark) Benchmark {
	switch p := benchmark.Parameters.(type) {
	case *pb.Benchmark_Chatapp:
		return chatAppBenchmark{p.Chatapp}
	case *pb.Benchmark_Pingpong:
		return pingPongBenchmark{PingPongParameters: p.Pingpong}
	case *pb.Benchmark_Big:
		return bigBenchmark{BigParameters: p.Big}
	case *pb.Benchmark_Bang:
		return bangBenchmark{BangParameters: p.Bang}
	case *pb.Benchmark_Web:
		return webBenchmark{WebParameters: p.Web}
	case *pb.Benchmark_Count:
		return countBenchmark{CountParameters: p.Count}
	case *pb.Benchmark_Chain:
		return chainBenchmark{ChainParameters: p.Chain}
	case *pb.Benchmark_Fanout:
		return fanoutBenchmark{FanoutParameters: p.Fanout}
	case *pb.Benchmark_Sleepers:
		return sleepersBenchmark{SleepersParameters: p.Sleepers}
	case *pb.Benchmark_Mergesort:
		return mergesortBenchmark{MergesortParameters: p.Mergesort}
	case *pb.Benchmark_Broker:
		return brokerBenchmark{BrokerParameters: p.Broker}
	case *pb.Benchmark_Openweb:
		return openWebBenchmark{OpenWebParameters: p.Openweb}
	}
	panic(fmt.Sprintf("no benchmark of type %T", benchmark.Parameters))
}

// Answer answers a probe of what a benchmark's actors do (LEVEL-1).
func Answer(probe *pb.Probe) []uint64 {
	switch p := probe.Probe.(type) {
	case *pb.Probe_Payloads_:
		return []uint64{uint64(results(p.Payloads.Salt, p.Payloads.Tasks, int(p.Payloads.Size)))}
	case *pb.Probe_Latencies_:
		return latencies(p.Latencies.Due, p.Latencies.Answered)
	}
	panic(fmt.Sprintf("no probe of type %T", probe.Probe))
}
