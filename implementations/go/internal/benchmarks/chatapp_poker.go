package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// poker starts every turn, and ends the iteration.
type poker struct {
	parameters  *pb.ChatAppParameters
	directories []*actors.Ref
	began       []stopwatch.Stamp // of each turn
	settling    uint32
	online      uint32
	sums        sums
}

type pokerPrepare struct{}

func (pokerPrepare) Kind() uint32              { return table.KindPokerPrepare }
func (pokerPrepare) Args(to []uint64) []uint64 { return to }

type pokerSettled struct{}

func (pokerSettled) Kind() uint32              { return table.KindPokerSettled }
func (pokerSettled) Args(to []uint64) []uint64 { return to }

type pokerAct struct{ client, choice, index, k uint32 }

func (pokerAct) Kind() uint32 { return table.KindPokerAct }
func (m pokerAct) Args(to []uint64) []uint64 {
	return append(to, uint64(m.client), uint64(m.choice), uint64(m.index), uint64(m.k))
}

type pokerTurn struct{}

func (pokerTurn) Kind() uint32              { return table.KindPokerTurn }
func (pokerTurn) Args(to []uint64) []uint64 { return to }

type pokerRun struct{ salt uint32 }

func (pokerRun) Kind() uint32                { return table.KindPokerRun }
func (m pokerRun) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type pokerConfirm struct {
	turn uint32
	sums unitSums
}

func (pokerConfirm) Kind() uint32 { return table.KindPokerConfirm }
func (m pokerConfirm) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn), m.sums.value, m.sums.stops,
		uint64(m.sums.announced), uint64(m.sums.consumed))
}

type pokerDisconnect struct{}

func (pokerDisconnect) Kind() uint32              { return table.KindPokerDisconnect }
func (pokerDisconnect) Args(to []uint64) []uint64 { return to }

type pokerFinished struct{ sums sums }

func (pokerFinished) Kind() uint32                { return table.KindPokerFinished }
func (m pokerFinished) Args(to []uint64) []uint64 { return m.sums.args(to) }

func (p *poker) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case pokerPrepare:
		p.prepare(self)
	case pokerSettled:
		p.settling--
		if p.settling == 0 {
			self.Report(Ready{})
		}
	case pokerAct:
		turn := p.nextTurn(self, 1)
		directory := p.directories[m.client%p.parameters.Directories]
		self.Send(directory, directoryAct{turn, m.client, m.choice, m.index, m.k})
	case pokerTurn:
		p.poke(self, 0)
	case pokerRun:
		for i := uint32(0); i < p.parameters.Turns; i++ {
			p.poke(self, m.salt)
		}
	case pokerConfirm:
		self.Report(Confirmed{m.turn, p.began[m.turn], stopwatch.Now(), m.sums})
	case pokerDisconnect:
		self.SendAll(p.directories, directoryDisconnect{})
	case pokerFinished:
		p.sums.add(m.sums)
		p.online--
		if p.online == 0 {
			self.Report(Finished{p.sums})
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

func (p *poker) prepare(self *actors.Self) {
	lcg := LCG(p.parameters.Seed)
	p.directories = make([]*actors.Ref, p.parameters.Directories)
	for i := range p.directories {
		p.directories[i] = self.Spawn(names.Of(table.ClassDirectory, uint32(i), 0), &directory{
			parameters: p.parameters,
			poker:      &self.Ref,
			lcg:        LCG(lcg.Next()),
			positions:  make(map[uint32]int),
		})
	}
	for c := uint32(0); c < p.parameters.Clients; c++ {
		self.Send(p.directories[c%p.parameters.Directories], directoryLogin{c})
	}
	for _, directory := range p.directories {
		if p.parameters.Befriend > 0 {
			self.Send(directory, directoryBefriend{})
		}
		self.Send(directory, directorySettle{})
	}
}

func (p *poker) poke(self *actors.Self, salt uint32) {
	self.SendAll(p.directories, directoryPoke{p.nextTurn(self, p.parameters.Clients), salt})
}

// nextTurn spawns the next accumulator, which expects so many units. Its stamp comes before it is
// spawned (MEAS-2).
func (p *poker) nextTurn(self *actors.Self, expected uint32) turn {
	number := uint32(len(p.began))
	p.began = append(p.began, stopwatch.Now())
	return turn{number, self.Spawn(names.Of(table.ClassAccumulator, number, 0), &accumulator{
		poker:    &self.Ref,
		expected: [3]uint64{uint64(expected)},
	})}
}
