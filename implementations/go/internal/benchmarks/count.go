package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// countBenchmark is the benchmark of spec/count.md.
type countBenchmark struct {
	micro
	*pb.CountParameters
}

func (b countBenchmark) Populate(world *actors.World) *actors.Ref {
	adders := make([]*actors.Ref, b.Adders)
	lead := world.Spawn(names.Of(table.ClassTally, 0, 0), &tally{adders: adders})
	counter := world.Spawn(names.Of(table.ClassCounter, 0, 0), &counter{adders: b.Adders})
	for i := range adders {
		adders[i] = world.Spawn(names.Of(table.ClassAdder, uint32(i), 0), &adder{
			tally:   lead,
			counter: counter,
			adds:    b.Adds,
		})
	}
	return lead
}

func (countBenchmark) Start(salt uint32) actors.Message { return tallyStart{salt} }

// tally adds up what the adders were told.
type tally struct {
	adders  []*actors.Ref
	counted int
	adds    uint64
	sum     uint32
}

type tallyStart struct{ salt uint32 }

func (tallyStart) Kind() uint32                { return table.KindTallyStart }
func (m tallyStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type tallyCounted struct {
	adds uint64
	sum  uint32
}

func (tallyCounted) Kind() uint32                { return table.KindTallyCounted }
func (m tallyCounted) Args(to []uint64) []uint64 { return append(to, m.adds, uint64(m.sum)) }

func (t *tally) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case tallyStart:
		self.SendAll(t.adders, adderGo{m.salt})
	case tallyCounted:
		t.adds += m.adds
		t.sum += m.sum
		t.counted++
		if t.counted == len(t.adders) {
			self.Report(Done{stopwatch.Now(), []uint64{t.adds, uint64(t.sum)}})
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

// adder adds, and asks behind its own adds.
type adder struct {
	tally, counter *actors.Ref
	adds           uint32
}

type adderGo struct{ salt uint32 }

func (adderGo) Kind() uint32                { return table.KindAdderGo }
func (m adderGo) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type adderTotal struct {
	adds uint64
	sum  uint32
}

func (adderTotal) Kind() uint32                { return table.KindAdderTotal }
func (m adderTotal) Args(to []uint64) []uint64 { return append(to, m.adds, uint64(m.sum)) }

func (a *adder) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case adderGo:
		salted := Fold(m.salt, self.Index())
		for n := uint32(0); n < a.adds; n++ {
			self.Send(a.counter, counterAdd{Fold(salted, n)})
		}
		self.Send(a.counter, counterGetAndReset{})
	case adderTotal:
		self.Send(a.tally, tallyCounted{m.adds, m.sum})
		self.End()
	default:
		actors.Unexpected(m)
	}
}

// counter counts until every adder has asked.
type counter struct {
	adders uint32
	asked  uint32
	adds   uint64
	sum    uint32
}

type counterAdd struct{ value uint32 }

func (counterAdd) Kind() uint32                { return table.KindCounterAdd }
func (m counterAdd) Args(to []uint64) []uint64 { return append(to, uint64(m.value)) }

type counterGetAndReset struct{}

func (counterGetAndReset) Kind() uint32              { return table.KindCounterGetAndReset }
func (counterGetAndReset) Args(to []uint64) []uint64 { return to }

func (c *counter) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case counterAdd:
		c.adds++
		c.sum += m.value
	case counterGetAndReset:
		self.Send(from, adderTotal{c.adds, c.sum})
		c.adds, c.sum = 0, 0
		c.asked++
		if c.asked == c.adders {
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}
