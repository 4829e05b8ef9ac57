package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/table"
)

// accumulator counts the work of one turn in units, on three levels.
type accumulator struct {
	poker              *actors.Ref
	expected, reported [3]uint64
	sums               unitSums
}

type accumulatorStop struct {
	level uint32
	value uint64
}

func (accumulatorStop) Kind() uint32                { return table.KindAccumulatorStop }
func (m accumulatorStop) Args(to []uint64) []uint64 { return append(to, uint64(m.level), m.value) }

type accumulatorBump struct {
	level  uint32
	n      uint64
	digest uint32
}

func (accumulatorBump) Kind() uint32 { return table.KindAccumulatorBump }
func (m accumulatorBump) Args(to []uint64) []uint64 {
	return append(to, uint64(m.level), m.n, uint64(m.digest))
}

func (a *accumulator) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case accumulatorStop:
		if m.level == 0 {
			a.sums.value += m.value
		} else {
			a.sums.stops++
			a.sums.consumed += uint32(m.value)
		}
		a.report(self, m.level)
	case accumulatorBump:
		a.expected[m.level+1] += m.n
		a.sums.announced += m.digest
		a.report(self, m.level)
	default:
		actors.Unexpected(m)
	}
}

func (a *accumulator) report(self *actors.Self, level uint32) {
	a.reported[level]++
	if a.reported == a.expected {
		self.Send(a.poker, pokerConfirm{self.Index(), a.sums})
		self.End()
	}
}
