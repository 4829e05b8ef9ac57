package benchmarks

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
	"dramaturg/internal/control/trace"
)

var everybody = []trace.Watch{{Modulus: 1, Last: 1<<32 - 1, Events: 1<<32 - 1}}

// play runs a benchmark from Prepare to Teardown as control does. Times are not in the receipt.
func play(t testing.TB, benchmark *pb.Benchmark, salt uint32, watches []trace.Watch) (*pb.Receipt, *trace.Logs) {
	t.Helper()
	world := actors.NewWorld(trace.NewWatches(watches))
	b := Of(benchmark)
	var lead *actors.Ref
	world.Populate(func() { lead = b.Populate(world) })
	reports := new(Reports)
	next := func() {
		report := world.NextReport()
		if failed, ok := report.(actors.Failed); ok {
			t.Fatalf("%v failed: %s", failed.Actor, failed.Reason)
		}
		reports.Add(report)
	}
	serial, isSerial := b.(Serial)
	if isSerial {
		world.Send(lead, serial.Settle())
		next()
	}
	reports.Started = stopwatch.Now()
	world.Send(lead, b.Start(salt))
	for !b.Over(reports) {
		next()
	}
	if disconnect := b.Disconnect(); disconnect != nil {
		world.Send(lead, disconnect)
	}
	if isSerial {
		next()
	}
	receipt := new(pb.Receipt)
	b.Fill(receipt, reports)
	if chatApp := receipt.GetChatapp(); chatApp != nil {
		chatApp.TurnNanos = nil
	}
	alive, err := world.AwaitEnd()
	if err != nil {
		t.Fatal(err)
	}
	receipt.Alive = alive
	return receipt, world.Logs()
}

// The small runs of the chapters, with salt 42, and their receipts.
var smallRuns = map[string]struct {
	benchmark *pb.Benchmark
	receipt   *pb.Receipt
}{
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

func TestTheSmallRunOfEachChapterHasItsReceipt(t *testing.T) {
	for name, run := range smallRuns {
		t.Run(name, func(t *testing.T) {
			receipt, _ := play(t, run.benchmark, 42, nil)
			if !proto.Equal(receipt, run.receipt) {
				t.Errorf("the receipt is %v instead of %v", receipt, run.receipt)
			}
		})
	}
}

func TestWindowsAndWhatWasUnderWayAreTheTotal(t *testing.T) {
	const windows, window = 3, 20
	for name, benchmark := range map[string]*pb.Benchmark{
		"pingpong": {Parameters: &pb.Benchmark_Pingpong{Pingpong: &pb.PingPongParameters{
			Windows: windows, Window: window}}},
		"big": {Parameters: &pb.Benchmark_Big{Big: &pb.BigParameters{
			Peers: 5, Windows: windows, Window: window}}},
		"bang": {Parameters: &pb.Benchmark_Bang{Bang: &pb.BangParameters{
			Senders: 2, Messages: 3, Windows: windows, Window: window}}},
	} {
		t.Run(name, func(t *testing.T) {
			receipt, _ := play(t, benchmark, 42, nil)
			var total, underWay uint64
			var counts, nanos []uint64
			switch r := receipt.Receipt.(type) {
			case *pb.Receipt_Pingpong:
				total, underWay = r.Pingpong.Pongs, 2
				counts, nanos = r.Pingpong.Windows, r.Pingpong.WindowNanos
			case *pb.Receipt_Big:
				total, underWay = r.Big.Pongs, 5
				counts, nanos = r.Big.Windows, r.Big.WindowNanos
			case *pb.Receipt_Bang:
				total, underWay = r.Bang.Bangs, 2*3
				counts, nanos = r.Bang.Windows, r.Bang.WindowNanos
			}
			if len(counts) != windows || len(nanos) != windows {
				t.Fatalf("windows %v of %v ns", counts, nanos)
			}
			for i, count := range counts {
				total -= count
				if nanos[i] < window*1e6 {
					t.Errorf("window %d took %d ns", i, nanos[i])
				}
			}
			if total != underWay {
				t.Errorf("%d were under way instead of %d", total, underWay)
			}
		})
	}
}

func TestEveryEventHasAsManyArgumentsAsItsKind(t *testing.T) {
	runs := map[string]*pb.Benchmark{"chatapp": chatApp(16, 4)}
	for name, run := range smallRuns {
		runs[name] = run.benchmark
	}
	for name, benchmark := range runs {
		t.Run(name, func(t *testing.T) {
			_, logs := play(t, benchmark, 42, everybody)
			err := logs.Drain(func(actor names.Name, rows trace.Rows, taken uint64) error {
				args := 0
				for _, kind := range rows.Kinds {
					if kind/16 != uint32(actor.Class()) {
						t.Errorf("%v logged kind %d, of another class", actor, kind)
					}
					args += table.Kinds[kind].Arity
				}
				if args != len(rows.Args) || taken != uint64(len(rows.Kinds)) {
					t.Errorf("%v took %d messages, and logged %d with %d arguments instead of %d",
						actor, taken, len(rows.Kinds), len(rows.Args), args)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestChatAppEndsWithWhatWasAnnouncedAndNobodyAlive(t *testing.T) {
	receipt, _ := play(t, chatApp(32, 8), 42, nil)
	r := receipt.GetChatapp()
	if receipt.Alive != 0 || r.Announced != r.Consumed || r.Stops != r.Deliveries+r.Joins {
		t.Errorf("the receipt does not agree with itself: %v", receipt)
	}
	if acts := r.Computes + r.Posts + r.Leaves + r.Invites + r.Nones; acts != 32*8 {
		t.Errorf("%d acts instead of %d", acts, 32*8)
	}
}

func chatApp(clients, turns uint32) *pb.Benchmark {
	return &pb.Benchmark{Parameters: &pb.Benchmark_Chatapp{Chatapp: &pb.ChatAppParameters{
		Clients: clients, Directories: clients / 8, Turns: turns,
		Post: 80, Leave: 5, Invite: 15, Befriend: 50,
		Selection: pb.Selection_SELECTION_CUMULATIVE, History: true, Seed: 42,
	}}}
}

func BenchmarkPingPong(b *testing.B) {
	play(b, &pb.Benchmark{Parameters: &pb.Benchmark_Pingpong{
		Pingpong: &pb.PingPongParameters{Rounds: uint32(b.N)}}}, 42, nil)
}

func BenchmarkChatApp(b *testing.B) {
	deliveries := uint64(0)
	for i := 0; i < b.N; i++ {
		receipt, _ := play(b, chatApp(1024, 32), 42, nil)
		deliveries += receipt.GetChatapp().Deliveries
	}
	b.ReportMetric(float64(deliveries)/float64(b.N), "deliveries/op")
}

func BenchmarkBang(b *testing.B) {
	play(b, &pb.Benchmark{Parameters: &pb.Benchmark_Bang{
		Bang: &pb.BangParameters{Senders: 64, Messages: uint32(b.N/64 + 1)}}}, 42, nil)
}
