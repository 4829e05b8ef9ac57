package benchmarks

import "dramaturg/internal/control/pb"

// The small runs of the chapters.
var smallRuns = map[string]smallRun{
	"pingpong": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{Pingpong: &pb.PingPongParameters{Rounds: 2}}},
		[]uint64{2, 3415947900},
	},
	"big": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Big{Big: &pb.BigParameters{Peers: 3, Rounds: 1}}},
		[]uint64{6, 6, 1706678110, 1706678110},
	},
	"bang": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Bang{Bang: &pb.BangParameters{Senders: 1, Messages: 2}}},
		[]uint64{2, 2, 1972876074, 1972876074},
	},
	"web": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Web{Web: &pb.WebParameters{
			Browsers: 1, Workers: 2, Requests: 2, FibN: 6}}},
		[]uint64{2, 1972876010, 2},
	},
	"count": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Count{Count: &pb.CountParameters{Adders: 2, Adds: 1}}},
		[]uint64{2, 3415947901},
	},
	"chain": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Chain{Chain: &pb.ChainParameters{Length: 3}}},
		[]uint64{3, 575270900},
	},
	"fanout": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Fanout{Fanout: &pb.FanoutParameters{
			Runners: 2, Tasks: 3, Window: 2}}},
		[]uint64{6, 502963918},
	},
	"mergesort": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Mergesort{Mergesort: &pb.MergesortParameters{
			Length: 3, Leaf: 1, Seed: 42}}},
		[]uint64{3, 5, 16318805},
	},
	"broker": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Broker{Broker: &pb.BrokerParameters{
			Employees: 1, Tasks: 1, Size: 4}}},
		[]uint64{1, 332602561},
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
	"big": {
		func(number, milliseconds uint32) *pb.Benchmark {
			return &pb.Benchmark{Parameters: &pb.Benchmark_Big{Big: &pb.BigParameters{
				Peers: 5, Windows: number, Window: milliseconds}}}
		},
		5,
		1,
	},
	"bang": {
		func(number, milliseconds uint32) *pb.Benchmark {
			return &pb.Benchmark{Parameters: &pb.Benchmark_Bang{Bang: &pb.BangParameters{
				Senders: 2, Messages: 3, Windows: number, Window: milliseconds}}}
		},
		2 * 3,
		0,
	},
}
