package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// chainBenchmark is the benchmark of spec/chain.md.
type chainBenchmark struct {
	micro
	*pb.ChainParameters
}

func (chainBenchmark) Populate(world *actors.World) *actors.Ref {
	return world.Spawn(names.Of(table.ClassLink, 0, 0), &link{})
}

func (b chainBenchmark) Start(salt uint32) actors.Message { return linkGrow{b.Length - 1, salt} }

// link makes the next one, and waits for its word.
type link struct {
	maker *actors.Ref // nil: control, for link 0
}

type linkGrow struct{ left, digest uint32 }

func (linkGrow) Kind() uint32 { return table.KindLinkGrow }
func (m linkGrow) Args(to []uint64) []uint64 {
	return append(to, uint64(m.left), uint64(m.digest))
}

type linkFinish struct{ length, digest uint32 }

func (linkFinish) Kind() uint32 { return table.KindLinkFinish }
func (m linkFinish) Args(to []uint64) []uint64 {
	return append(to, uint64(m.length), uint64(m.digest))
}

func (l *link) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case linkGrow:
		digest := Fold(m.digest, m.left)
		if m.left == 0 {
			l.report(self, 1, digest)
			return
		}
		next := self.Spawn(names.Of(table.ClassLink, self.Index()+1, 0), &link{&self.Ref})
		self.Send(next, linkGrow{m.left - 1, digest})
	case linkFinish:
		l.report(self, m.length+1, Fold(m.digest, m.length))
	default:
		actors.Unexpected(m)
	}
}

func (l *link) report(self *actors.Self, length, digest uint32) {
	if l.maker == nil {
		self.Report(Done{stopwatch.Now(), []uint64{uint64(length), uint64(digest)}})
	} else {
		self.Send(l.maker, linkFinish{length, digest})
	}
	self.End()
}
