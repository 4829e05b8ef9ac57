package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/table"
)

// chat has members, of whom one can be there several times, and a history.
type chat struct {
	members []*actors.Ref
	keeps   bool
	history []uint64
	digests uint32 // the sum over the history
}

type chatPost struct {
	turn    turn
	payload uint64
}

func (chatPost) Kind() uint32 { return table.KindChatPost }
func (m chatPost) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number), m.payload)
}

type chatJoin struct {
	turn   turn
	friend *actors.Ref
}

func (chatJoin) Kind() uint32 { return table.KindChatJoin }
func (m chatJoin) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number), uint64(m.friend.Index()))
}

type chatLeave struct{ turn turn }

func (chatLeave) Kind() uint32                { return table.KindChatLeave }
func (m chatLeave) Args(to []uint64) []uint64 { return append(to, uint64(m.turn.number)) }

func (c *chat) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case chatPost:
		c.post(self, m)
	case chatJoin:
		c.join(self, m)
	case chatLeave:
		c.remove(from)
		self.Send(from, clientLeft{m.turn})
		if len(c.members) == 0 {
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

func (c *chat) post(self *actors.Self, m chatPost) {
	posted := PayloadDigest(m.payload)
	if c.keeps {
		c.history = append(c.history, m.payload)
		c.digests += posted
	}
	count := uint32(len(c.members))
	self.Send(m.turn.accumulator, accumulatorBump{0, uint64(count), count * posted})
	self.SendAll(c.members, clientForward{m.turn, 1, m.payload})
}

func (c *chat) join(self *actors.Self, m chatJoin) {
	c.members = append(c.members, m.friend)
	level := uint32(1)
	if len(c.history) > 0 {
		self.Send(m.turn.accumulator, accumulatorBump{1, uint64(len(c.history)) + 1, c.digests})
		level = 2
		for _, payload := range c.history {
			self.Send(m.friend, clientForward{m.turn, level, payload})
		}
	}
	self.Send(m.friend, clientAccepted{m.turn, level})
}

func (c *chat) remove(member *actors.Ref) {
	for i, m := range c.members {
		if m == member {
			c.members = append(c.members[:i], c.members[i+1:]...)
			return
		}
	}
}
