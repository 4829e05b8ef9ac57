// Package benchmarks has the actors of the benchmarks: a file for each, beside its chapter of the
// specification. Messages are named by their receiver's class and their kind.
package benchmarks

import (
	"fmt"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
)

// Benchmark is a benchmark with its parameters, and what control has to know of it.
type Benchmark interface {
	// Populate spawns the actors that there are at first. It returns the lead.
	Populate(world *actors.World) *actors.Ref
	// Start is what control says to the lead in Run.
	Start(salt uint32) actors.Message
	// Disconnect is what control says to the lead in Teardown; nil: nothing.
	Disconnect() actors.Message
	// Over tells whether the last report of a Run has come (ACT-7).
	Over(reports *Reports) bool
	// RunNanos is the time from S to E of a Run that is over (MEAS-3).
	RunNanos(reports *Reports) uint64
	// Fill puts what was reported into the benchmark's own receipt.
	Fill(receipt *pb.Receipt, reports *Reports)
}

// Serial is ChatApp, which control drives by acts and turns as well.
type Serial interface {
	Benchmark
	// Settle is what control says to the lead in Prepare. It is answered with Ready.
	Settle() actors.Message
	// Act and Turn are what it says in the calls of these names. They are answered with Confirmed.
	Act(*pb.ActRequest) actors.Message
	Turn() actors.Message
}

// micro is what the micro-benchmarks have in common.
type micro struct{}

func (micro) Disconnect() actors.Message       { return nil }
func (micro) Over(reports *Reports) bool       { return reports.Done != nil }
func (micro) RunNanos(reports *Reports) uint64 { return reports.Done.At.Nanos(reports.Started) }

// Reports are what actors have told control since Prepare (ACT-7).
type Reports struct {
	// Started is control's stamp just before it handed the lead its first message: S of MEAS-3,
	// but for ChatApp.
	Started stopwatch.Stamp
	// RunNanos is the time of a Run that is over; 0 without one.
	RunNanos  uint64
	Windows   []Window
	Done      *Done
	Confirmed []Confirmed
	Finished  *Finished
}

// Window says that a window has ended. At is the lead's stamp upon its tick.
type Window struct {
	At    stopwatch.Stamp
	Count uint64
}

// Done is the last report of every lead but the poker. Counts has the fields of the receipt, in
// their order. At is the lead's stamp upon its last message: E of MEAS-3.
type Done struct {
	At     stopwatch.Stamp
	Counts []uint64
}

// Add keeps what an actor told control. It is true if that makes a mark due: a turn was confirmed,
// or a window has ended (CTRL-6).
func (r *Reports) Add(report actors.Report) bool {
	switch report := report.(type) {
	case Window:
		r.Windows = append(r.Windows, report)
		return true
	case Confirmed:
		r.Confirmed = append(r.Confirmed, report)
		return true
	case Done:
		r.Done = &report
	case Finished:
		r.Finished = &report
	}
	return false
}

func (r *Reports) windowCounts() []uint64 {
	counts := make([]uint64, len(r.Windows))
	for i, w := range r.Windows {
		counts[i] = w.Count
	}
	return counts
}

func (r *Reports) windowNanos() []uint64 {
	nanos := make([]uint64, len(r.Windows))
	began := r.Started
	for i, w := range r.Windows {
		nanos[i] = w.At.Nanos(began)
		began = w.At
	}
	return nanos
}

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
		return mergesortOf(p.Mergesort)
	case *pb.Benchmark_Broker:
		return brokerBenchmark{BrokerParameters: p.Broker}
	}
	panic(fmt.Sprintf("no benchmark of type %T", benchmark.Parameters))
}
