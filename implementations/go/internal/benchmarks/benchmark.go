// Package benchmarks has the actors of the benchmarks: a file for each, beside its chapter of the
// specification. Messages are named by their receiver's class and their kind.
package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/pb"
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

// NameOf is the protocol's name of the benchmark that Prepare asks for.
func NameOf(benchmark *pb.Benchmark) string {
	message := benchmark.ProtoReflect()
	return string(message.WhichOneof(message.Descriptor().Oneofs().ByName("parameters")).Name())
}

// micro is what the micro-benchmarks have in common.
type micro struct{}

func (micro) Disconnect() actors.Message       { return nil }
func (micro) Over(reports *Reports) bool       { return reports.Done != nil }
func (micro) RunNanos(reports *Reports) uint64 { return reports.Done.At.Nanos(reports.Started) }

// Fill repeats what the lead has reported in the end, beside what was counted and timed on the way.
func (micro) Fill(receipt *pb.Receipt, reports *Reports) {
	receipt.Receipt = &pb.Receipt_Done{Done: &pb.DoneReceipt{
		Benchmark:     reports.Benchmark,
		Arguments:     reports.Done.Arguments,
		Windows:       reports.windowCounts(),
		WindowNanos:   reports.windowNanos(),
		ShortestNanos: reports.Readings.Shortest,
	}}
}
