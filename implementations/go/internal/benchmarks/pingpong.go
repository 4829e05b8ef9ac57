package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// pingPongBenchmark is the benchmark of spec/pingpong.md.
type pingPongBenchmark struct {
	micro
	*pb.PingPongParameters
}

func (b pingPongBenchmark) Populate(world *actors.World) *actors.Ref {
	pong := world.Spawn(names.Of(table.ClassPong, 0, 0), &pong{shift: b.Shift})
	windows := windowsOf(b.Windows, b.Window, func(n uint32) actors.Message { return pingTick{n} })
	return world.Spawn(names.Of(table.ClassPing, 0, 0), &ping{pong: pong, windows: windows, shift: b.Shift})
}

func (b pingPongBenchmark) Start(salt uint32) actors.Message { return pingStart{b.Rounds, salt} }

// ping counts down, or plays until the last window has ended.
type ping struct {
	pong    *actors.Ref
	windows windows
	shift   uint32 // bits by which values are shifted when they are sent (PING-7)
	salt    uint32
	pings   uint32
	pongs   uint64
	sum     uint32
	before  uint64 // pongs before this window
}

type pingStart struct{ rounds, salt uint32 }

func (pingStart) Kind() uint32 { return table.KindPingStart }
func (m pingStart) Args(to []uint64) []uint64 {
	return append(to, uint64(m.rounds), uint64(m.salt))
}

type pingPong struct {
	left  uint32
	value uint64
}

func (pingPong) Kind() uint32 { return table.KindPingPong }
func (m pingPong) Args(to []uint64) []uint64 {
	return append(to, uint64(m.left), m.value)
}

type pingTick struct{ number uint32 }

func (pingTick) Kind() uint32                { return table.KindPingTick }
func (m pingTick) Args(to []uint64) []uint64 { return append(to, uint64(m.number)) }

func (p *ping) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case pingStart:
		p.windows.open(self)
		p.salt = m.salt
		if p.windows.none() {
			p.ping(self, m.rounds-1)
		} else {
			p.ping(self, 1)
		}
	case pingPong:
		p.pongs++
		p.sum += uint32(m.value >> p.shift)
		switch {
		case m.left == 0:
			self.Report(Done{stopwatch.Now(), []uint64{p.pongs, uint64(p.sum)}})
			self.End()
		case p.windows.none():
			p.ping(self, m.left-1)
		case p.windows.over():
			p.ping(self, 0)
		default:
			p.ping(self, 1)
		}
	case pingTick:
		at := p.windows.close(self)
		self.Report(Window{at, p.pongs - p.before})
		p.before = p.pongs
	default:
		actors.Unexpected(m)
	}
}

func (p *ping) ping(self *actors.Self, left uint32) {
	self.Send(p.pong, pongPing{left, wide(Fold(p.salt, p.pings), p.shift)})
	p.pings++
}

// pong answers.
type pong struct {
	shift uint32 // as ping's
	pings uint32
}

type pongPing struct {
	left  uint32
	value uint64
}

func (pongPing) Kind() uint32 { return table.KindPongPing }
func (m pongPing) Args(to []uint64) []uint64 {
	return append(to, uint64(m.left), m.value)
}

func (p *pong) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case pongPing:
		answer := Fold(uint32(m.value>>p.shift), p.pings)
		self.Send(from, pingPong{m.left, wide(answer, p.shift)})
		p.pings++
		if m.left == 0 {
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

// wide is a value as it is sent: shifted, and its lowest bits once more behind it (PING-7).
func wide(value, shift uint32) uint64 {
	return uint64(value)<<shift | uint64(value)&(1<<shift-1)
}
