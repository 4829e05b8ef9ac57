package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/stopwatch"
)

// Reports are what actors have told control since Prepare (ACT-7).
type Reports struct {
	// Benchmark is the protocol's name of what was prepared.
	Benchmark string
	// Started is control's stamp just before it handed the lead its first message: S of MEAS-3,
	// but for ChatApp.
	Started stopwatch.Stamp
	// RunNanos is the time of a Run that is over; 0 without one.
	RunNanos  uint64
	Windows   []Window
	Done      *Done
	Readings  Readings
	Confirmed []Confirmed
	Finished  *Finished
}

// Window says that a window has ended. At is the lead's stamp upon its tick.
type Window struct {
	At    stopwatch.Stamp
	Count uint64
}

// Done is the last report of every lead but the poker, which the receipt repeats. At is the lead's
// stamp upon its last message: E of MEAS-3.
type Done struct {
	At        stopwatch.Stamp
	Arguments []uint64
}

// Readings are what a lead has read off its clock beside Done, before which it comes. Of requests:
// when each was sent, and when it was answered, by its number; Due is when, in nanoseconds after S,
// it should have been sent. Of naps: the shortest, in nanoseconds.
type Readings struct {
	Due               []uint64
	Arrived, Answered []stopwatch.Stamp
	Shortest          uint64
}

// Ready is the poker's report that set-up is done.
type Ready struct{}

// Confirmed is the poker's report that a turn has ended, with its two stamps (MEAS-2).
type Confirmed struct {
	Turn      uint32
	Began, At stopwatch.Stamp
	unitSums
}

// Finished is the poker's last report.
type Finished struct{ sums }

// unitSums are what an accumulator adds up.
type unitSums struct {
	value, stops        uint64
	announced, consumed uint32
}

// sums are what a client says when it leaves, and sums of it.
type sums struct {
	lcg uint64
	picks
	deliveries, joins uint64
}

// picks say how often each action was chosen.
type picks struct{ computes, posts, leaves, invites, nones uint64 }

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
	case Readings:
		r.Readings = report
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
