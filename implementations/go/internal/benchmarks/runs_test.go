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

// play runs a benchmark from Prepare to Teardown as control does. The receipt has no times of
// these calls.
func play(t testing.TB, benchmark *pb.Benchmark, salt uint32, watches []trace.Watch) (*pb.Receipt, *trace.Logs) {
	t.Helper()
	world := actors.NewWorld(trace.NewWatches(watches))
	b := Of(benchmark)
	var lead *actors.Ref
	world.Populate(func() { lead = b.Populate(world) })
	reports := &Reports{Benchmark: NameOf(benchmark)}
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
	alive, err := world.AwaitEnd()
	if err != nil {
		t.Fatal(err)
	}
	receipt.Alive = alive
	return receipt, world.Logs()
}

// smallRun is the example of a chapter, with salt 42, and what its receipt repeats.
type smallRun struct {
	benchmark *pb.Benchmark
	arguments []uint64
}

func TestTheSmallRunOfEachChapterHasItsReceipt(t *testing.T) {
	for name, run := range smallRuns {
		t.Run(name, func(t *testing.T) {
			receipt, _ := play(t, run.benchmark, 42, nil)
			done := &pb.DoneReceipt{Benchmark: name, Arguments: run.arguments}
			if !proto.Equal(receipt, &pb.Receipt{Receipt: &pb.Receipt_Done{Done: done}}) {
				t.Errorf("the receipt is %v instead of %v", receipt, done)
			}
		})
	}
}

// windowedRun is a benchmark in its windowed form, how many are under way when the last window ends,
// and which of the arguments in its receipt says how many there were in all.
type windowedRun struct {
	benchmark func(number, milliseconds uint32) *pb.Benchmark
	underWay  uint64
	total     int
}

func TestWindowsAndWhatWasUnderWayAreTheTotal(t *testing.T) {
	const windows, milliseconds = 3, 20
	for name, run := range windowedRuns {
		t.Run(name, func(t *testing.T) {
			receipt, _ := play(t, run.benchmark(windows, milliseconds), 42, nil)
			said := receipt.GetDone()
			if len(said.Windows) != windows || len(said.WindowNanos) != windows {
				t.Fatalf("windows %v of %v ns", said.Windows, said.WindowNanos)
			}
			underWay := said.Arguments[run.total]
			for i, count := range said.Windows {
				underWay -= count
				if said.WindowNanos[i] < milliseconds*1e6 {
					t.Errorf("window %d took %d ns", i, said.WindowNanos[i])
				}
			}
			if underWay != run.underWay {
				t.Errorf("%d were under way instead of %d", underWay, run.underWay)
			}
		})
	}
}

func TestEveryEventHasAsManyArgumentsAsItsKind(t *testing.T) {
	for name, run := range smallRuns {
		t.Run(name, func(t *testing.T) { checkEvents(t, run.benchmark) })
	}
}

// checkEvents finds fault with events of another class, or with too many arguments or too few.
func checkEvents(t *testing.T, benchmark *pb.Benchmark) {
	t.Helper()
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
}
