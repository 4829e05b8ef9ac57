package benchmarks

import "dramaturg/internal/control/pb"

// The small runs of the chapters.
var smallRuns = map[string]smallRun{
	"pingpong": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{Pingpong: &pb.PingPongParameters{Rounds: 2}}},
		&pb.Receipt{Receipt: &pb.Receipt_Pingpong{Pingpong: &pb.PingPongReceipt{Pongs: 2, Sum: 3415947900}}},
	},
	"big": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Big{Big: &pb.BigParameters{Peers: 3, Rounds: 1}}},
		&pb.Receipt{Receipt: &pb.Receipt_Big{Big: &pb.BigReceipt{
			Pings: 6, Pongs: 6, Given: 1706678110, Taken: 1706678110}}},
	},
	"bang": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Bang{Bang: &pb.BangParameters{Senders: 1, Messages: 2}}},
		&pb.Receipt{Receipt: &pb.Receipt_Bang{Bang: &pb.BangReceipt{
			Bangs: 2, Answers: 2, Given: 1972876074, Taken: 1972876074}}},
	},
	"web": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Web{Web: &pb.WebParameters{
			Browsers: 1, Workers: 2, Requests: 2, FibN: 6}}},
		&pb.Receipt{Receipt: &pb.Receipt_Web{Web: &pb.WebReceipt{
			Answers: 2, Sum: 1972876010, WorkersUsed: 2}}},
	},
	"count": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Count{Count: &pb.CountParameters{Adders: 2, Adds: 1}}},
		&pb.Receipt{Receipt: &pb.Receipt_Count{Count: &pb.CountReceipt{Adds: 2, Sum: 3415947901}}},
	},
	"chain": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Chain{Chain: &pb.ChainParameters{Length: 3}}},
		&pb.Receipt{Receipt: &pb.Receipt_Chain{Chain: &pb.ChainReceipt{Length: 3, Digest: 575270900}}},
	},
	"fanout": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Fanout{Fanout: &pb.FanoutParameters{
			Runners: 2, Tasks: 3, Window: 2}}},
		&pb.Receipt{Receipt: &pb.Receipt_Fanout{Fanout: &pb.FanoutReceipt{Completed: 6, Sum: 502963918}}},
	},
	"sleepers": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Sleepers{Sleepers: &pb.SleepersParameters{
			Sleepers: 1, Naps: 2, Delay: 5}}},
		&pb.Receipt{Receipt: &pb.Receipt_Sleepers{Sleepers: &pb.SleepersReceipt{Naps: 2, Sum: 1972876022}}},
	},
	"mergesort": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Mergesort{Mergesort: &pb.MergesortParameters{
			Length: 3, Leaf: 1, Seed: 42}}},
		&pb.Receipt{Receipt: &pb.Receipt_Mergesort{Mergesort: &pb.MergesortReceipt{
			Length: 3, Sorters: 5, Checksum: 4772440}}},
	},
	"broker": {
		&pb.Benchmark{Parameters: &pb.Benchmark_Broker{Broker: &pb.BrokerParameters{
			Employees: 1, Tasks: 1, Size: 4}}},
		&pb.Receipt{Receipt: &pb.Receipt_Broker{Broker: &pb.BrokerReceipt{Results: 1, Sum: 3379571905}}},
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
		func(receipt *pb.Receipt) windowed {
			r := receipt.GetPingpong()
			return windowed{r.Pongs, r.Windows, r.WindowNanos}
		},
	},
	"big": {
		func(number, milliseconds uint32) *pb.Benchmark {
			return &pb.Benchmark{Parameters: &pb.Benchmark_Big{Big: &pb.BigParameters{
				Peers: 5, Windows: number, Window: milliseconds}}}
		},
		5,
		func(receipt *pb.Receipt) windowed {
			r := receipt.GetBig()
			return windowed{r.Pongs, r.Windows, r.WindowNanos}
		},
	},
	"bang": {
		func(number, milliseconds uint32) *pb.Benchmark {
			return &pb.Benchmark{Parameters: &pb.Benchmark_Bang{Bang: &pb.BangParameters{
				Senders: 2, Messages: 3, Windows: number, Window: milliseconds}}}
		},
		2 * 3,
		func(receipt *pb.Receipt) windowed {
			r := receipt.GetBang()
			return windowed{r.Bangs, r.Windows, r.WindowNanos}
		},
	},
}
