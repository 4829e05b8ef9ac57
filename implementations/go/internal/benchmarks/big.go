package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// bigBenchmark is the benchmark of spec/big.md.
type bigBenchmark struct {
	micro
	*pb.BigParameters
}

func (b bigBenchmark) Populate(world *actors.World) *actors.Ref {
	peers := make([]*actors.Ref, b.Peers)
	windows := windowsOf(b.Windows, b.Window, func(n uint32) actors.Message { return coordinatorTick{n} })
	lead := world.Spawn(names.Of(table.ClassCoordinator, 0, 0), &coordinator{
		peers:   peers,
		playing: len(peers),
		windows: windows,
		marks:   make([]mark, b.Windows),
		waiting: len(peers),
	})
	for i := range peers {
		peers[i] = world.Spawn(names.Of(table.ClassPeer, uint32(i), 0), &peer{
			peers:       peers,
			coordinator: lead,
			windows:     b.Windows,
			total:       uint64(b.Rounds) * uint64(b.Peers-1),
			pinging:     true,
		})
	}
	return lead
}

func (bigBenchmark) Start(salt uint32) actors.Message { return coordinatorStart{salt} }

// coordinator starts the peers and adds up what they say.
type coordinator struct {
	peers        []*actors.Ref
	playing      int
	pings, pongs uint64
	given, taken uint32
	windows      windows
	marks        []mark
	waiting      int
}

// mark is what the peers have said of a window so far.
type mark struct {
	at     stopwatch.Stamp
	marked int
	pongs  uint64
}

type coordinatorStart struct{ salt uint32 }

func (coordinatorStart) Kind() uint32                { return table.KindCoordinatorStart }
func (m coordinatorStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type coordinatorTick struct{ number uint32 }

func (coordinatorTick) Kind() uint32                { return table.KindCoordinatorTick }
func (m coordinatorTick) Args(to []uint64) []uint64 { return append(to, uint64(m.number)) }

type coordinatorMarked struct {
	number uint32
	pongs  uint64
}

func (coordinatorMarked) Kind() uint32 { return table.KindCoordinatorMarked }
func (m coordinatorMarked) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), m.pongs)
}

type coordinatorIdle struct{}

func (coordinatorIdle) Kind() uint32              { return table.KindCoordinatorIdle }
func (coordinatorIdle) Args(to []uint64) []uint64 { return to }

type coordinatorFinished struct {
	pings, pongs uint64
	given, taken uint32
}

func (coordinatorFinished) Kind() uint32 { return table.KindCoordinatorFinished }
func (m coordinatorFinished) Args(to []uint64) []uint64 {
	return append(to, m.pings, m.pongs, uint64(m.given), uint64(m.taken))
}

func (c *coordinator) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case coordinatorStart:
		c.windows.open(self)
		self.SendAll(c.peers, peerGo{m.salt})
	case coordinatorTick:
		c.marks[m.number].at = c.windows.close(self)
		self.SendAll(c.peers, peerMark{m.number})
	case coordinatorMarked:
		mark := &c.marks[m.number]
		mark.pongs += m.pongs
		mark.marked++
		if mark.marked == len(c.peers) {
			self.Report(Window{mark.at, mark.pongs})
		}
	case coordinatorIdle:
		c.waiting--
		if c.waiting == 0 {
			self.SendAll(c.peers, peerStop{})
		}
	case coordinatorFinished:
		c.pings += m.pings
		c.pongs += m.pongs
		c.given += m.given
		c.taken += m.taken
		c.playing--
		if c.playing == 0 {
			self.Report(Done{stopwatch.Now(), []uint64{c.pings, c.pongs, uint64(c.given), uint64(c.taken)}})
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

// peer pings all others, round after round, one at a time, and answers them.
type peer struct {
	peers       []*actors.Ref
	coordinator *actors.Ref
	windows     uint32
	// total is how many pings it sends in the counted form, and how many are meant for it.
	total uint64
	salt  uint32 // with this peer's index folded in
	// Of each how many it took, and the sums of the values that it gave and took.
	pings, pongs uint64
	given, taken uint32
	marked       uint64 // pongs before this window
	pinging      bool   // until the last window has ended
}

type peerGo struct{ salt uint32 }

func (peerGo) Kind() uint32                { return table.KindPeerGo }
func (m peerGo) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type peerPing struct{ round, value uint32 }

func (peerPing) Kind() uint32 { return table.KindPeerPing }
func (m peerPing) Args(to []uint64) []uint64 {
	return append(to, uint64(m.round), uint64(m.value))
}

type peerPong struct{ round, value uint32 }

func (peerPong) Kind() uint32 { return table.KindPeerPong }
func (m peerPong) Args(to []uint64) []uint64 {
	return append(to, uint64(m.round), uint64(m.value))
}

type peerMark struct{ number uint32 }

func (peerMark) Kind() uint32                { return table.KindPeerMark }
func (m peerMark) Args(to []uint64) []uint64 { return append(to, uint64(m.number)) }

type peerStop struct{}

func (peerStop) Kind() uint32              { return table.KindPeerStop }
func (peerStop) Args(to []uint64) []uint64 { return to }

func (p *peer) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case peerGo:
		p.salt = Fold(m.salt, self.Index())
		p.ping(self)
	case peerPing:
		answer := Fold(m.value, self.Index())
		p.pings++
		p.given += answer
		self.Send(from, peerPong{m.round, answer})
		if p.windows == 0 {
			p.endWhenDone(self)
		}
	case peerPong:
		p.pongs++
		p.taken += m.value
		if p.windows > 0 {
			if p.pinging {
				p.ping(self)
			} else {
				self.Send(p.coordinator, coordinatorIdle{})
			}
			return
		}
		if p.pongs < p.total {
			p.ping(self)
		}
		p.endWhenDone(self)
	case peerMark:
		self.Send(p.coordinator, coordinatorMarked{m.number, p.pongs - p.marked})
		p.marked = p.pongs
		p.pinging = m.number+1 < p.windows
	case peerStop:
		p.finish(self)
	default:
		actors.Unexpected(m)
	}
}

// ping is sent to the next peer in turn. None is unanswered then: pongs count those before it.
func (p *peer) ping(self *actors.Self) {
	others := uint64(len(p.peers) - 1)
	round := uint32(p.pongs / others)
	target := (uint64(self.Index()) + 1 + p.pongs%others) % uint64(len(p.peers))
	self.Send(p.peers[target], peerPing{round, Fold(p.salt, round)})
}

func (p *peer) endWhenDone(self *actors.Self) {
	if p.pings == p.total && p.pongs == p.total {
		p.finish(self)
	}
}

func (p *peer) finish(self *actors.Self) {
	self.Send(p.coordinator, coordinatorFinished{p.pings, p.pongs, p.given, p.taken})
	self.End()
}
