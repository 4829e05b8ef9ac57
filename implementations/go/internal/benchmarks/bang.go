package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// bangBenchmark is the benchmark of spec/bang.md.
type bangBenchmark struct {
	micro
	*pb.BangParameters
}

func (b bangBenchmark) Populate(world *actors.World) *actors.Ref {
	senders := make([]*actors.Ref, b.Senders)
	windows := windowsOf(b.Windows, b.Window, func(n uint32) actors.Message { return receiverTick{n} })
	lead := world.Spawn(names.Of(table.ClassReceiver, 0, 0), &receiver{senders: senders, windows: windows})
	for i := range senders {
		senders[i] = world.Spawn(names.Of(table.ClassSender, uint32(i), 0), &sender{
			receiver: lead,
			messages: b.Messages,
			windowed: b.Windows > 0,
		})
	}
	return lead
}

func (bangBenchmark) Start(salt uint32) actors.Message { return receiverStart{salt} }

// receiver answers every bang.
type receiver struct {
	senders        []*actors.Ref
	windows        windows
	salt           uint32
	finished       int
	bangs, answers uint64
	given, taken   uint32
	before         uint64 // bangs before this window
}

type receiverStart struct{ salt uint32 }

func (receiverStart) Kind() uint32                { return table.KindReceiverStart }
func (m receiverStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type receiverBang struct {
	number uint64
	value  uint32
}

func (receiverBang) Kind() uint32                { return table.KindReceiverBang }
func (m receiverBang) Args(to []uint64) []uint64 { return append(to, m.number, uint64(m.value)) }

type receiverFinished struct {
	answers uint64
	taken   uint32
}

func (receiverFinished) Kind() uint32 { return table.KindReceiverFinished }
func (m receiverFinished) Args(to []uint64) []uint64 {
	return append(to, m.answers, uint64(m.taken))
}

type receiverTick struct{ number uint32 }

func (receiverTick) Kind() uint32                { return table.KindReceiverTick }
func (m receiverTick) Args(to []uint64) []uint64 { return append(to, uint64(m.number)) }

func (r *receiver) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case receiverStart:
		r.windows.open(self)
		r.salt = m.salt
		self.SendAll(r.senders, senderGo{m.salt})
	case receiverBang:
		value := Fold(m.value, r.salt)
		self.Send(from, senderAnswer{m.number, value})
		r.bangs++
		r.given += value
	case receiverFinished:
		r.answers += m.answers
		r.taken += m.taken
		r.finished++
		if r.finished == len(r.senders) {
			self.Report(Done{stopwatch.Now(), []uint64{r.bangs, r.answers, uint64(r.given), uint64(r.taken)}})
			self.End()
		}
	case receiverTick:
		at := r.windows.close(self)
		self.Report(Window{at, r.bangs - r.before})
		r.before = r.bangs
		if r.windows.over() {
			self.SendAll(r.senders, senderStop{})
		}
	default:
		actors.Unexpected(m)
	}
}

// sender sends all its bangs at once, or keeps some unanswered until it is told to stop.
type sender struct {
	receiver *actors.Ref
	messages uint32
	windowed bool
	salted   uint32
	stopped  bool
	sent     uint64
	answers  uint64
	taken    uint32
}

type senderGo struct{ salt uint32 }

func (senderGo) Kind() uint32                { return table.KindSenderGo }
func (m senderGo) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type senderAnswer struct {
	number uint64
	value  uint32
}

func (senderAnswer) Kind() uint32                { return table.KindSenderAnswer }
func (m senderAnswer) Args(to []uint64) []uint64 { return append(to, m.number, uint64(m.value)) }

type senderStop struct{}

func (senderStop) Kind() uint32              { return table.KindSenderStop }
func (senderStop) Args(to []uint64) []uint64 { return to }

func (s *sender) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case senderGo:
		s.salted = Fold(m.salt, self.Index())
		for n := uint32(0); n < s.messages; n++ {
			s.bang(self)
		}
	case senderAnswer:
		s.answers++
		s.taken += m.value
		if s.windowed && !s.stopped {
			s.bang(self)
		}
		if s.answers == s.sent {
			self.Send(s.receiver, receiverFinished{s.answers, s.taken})
			self.End()
		}
	case senderStop:
		s.stopped = true
	default:
		actors.Unexpected(m)
	}
}

func (s *sender) bang(self *actors.Self) {
	self.Send(s.receiver, receiverBang{s.sent, Fold(s.salted, uint32(s.sent))})
	s.sent++
}
