package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
)

// client acts once in each turn.
type client struct {
	directory  *actors.Ref
	lcg        LCG
	parameters *pb.ChatAppParameters
	friends    []*actors.Ref
	chats      []*actors.Ref
	created    uint32 // chats
	posted     uint32
	leaving    int // chats, upon logout
	picks      picks
	deliveries uint64
	joins      uint64
}

type clientBefriend struct{ friend *actors.Ref }

func (clientBefriend) Kind() uint32                { return table.KindClientBefriend }
func (m clientBefriend) Args(to []uint64) []uint64 { return append(to, uint64(m.friend.Index())) }

type clientSettle struct{}

func (clientSettle) Kind() uint32              { return table.KindClientSettle }
func (clientSettle) Args(to []uint64) []uint64 { return to }

type clientAct struct {
	turn                   turn
	choice, index, k, salt uint32
}

func (clientAct) Kind() uint32 { return table.KindClientAct }
func (m clientAct) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number),
		uint64(m.choice), uint64(m.index), uint64(m.k), uint64(m.salt))
}

type clientForward struct {
	turn    turn
	level   uint32
	payload uint64
}

func (clientForward) Kind() uint32 { return table.KindClientForward }
func (m clientForward) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number), uint64(m.level), m.payload)
}

type clientAccepted struct {
	turn  turn
	level uint32
}

func (clientAccepted) Kind() uint32 { return table.KindClientAccepted }
func (m clientAccepted) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number), uint64(m.level))
}

type clientLeft struct{ turn turn }

func (clientLeft) Kind() uint32                { return table.KindClientLeft }
func (m clientLeft) Args(to []uint64) []uint64 { return append(to, uint64(m.turn.number)) }

type clientLogout struct{}

func (clientLogout) Kind() uint32              { return table.KindClientLogout }
func (clientLogout) Args(to []uint64) []uint64 { return to }

func (c *client) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case clientBefriend:
		c.friends = append(c.friends, m.friend)
	case clientSettle:
		self.Send(c.directory, directorySettled{})
	case clientAct:
		c.act(self, m)
	case clientForward:
		c.deliveries++
		self.Send(m.turn.accumulator, accumulatorStop{m.level, uint64(PayloadDigest(m.payload))})
	case clientAccepted:
		c.joins++
		c.chats = append(c.chats, from)
		self.Send(m.turn.accumulator, accumulatorStop{m.level, 0})
	case clientLeft:
		if m.turn != logout {
			self.Send(m.turn.accumulator, accumulatorStop{0, 0})
			return
		}
		c.leaving--
		if c.leaving == 0 {
			c.report(self)
		}
	case clientLogout:
		c.leaving = len(c.chats)
		self.SendAll(c.chats, chatLeave{logout})
		if c.leaving == 0 {
			c.report(self)
		}
	default:
		actors.Unexpected(m)
	}
}

func (c *client) act(self *actors.Self, m clientAct) {
	choice, index, k := m.choice, m.index, m.k
	directed := choice != table.ChoiceDraw
	if !directed {
		index = c.lcg.NextInt(uint32(len(c.chats)))
		choice = c.selectChoice()
	}
	c.pick(choice)
	chats, friends := uint32(len(c.chats)), uint32(len(c.friends))
	switch {
	case choice == table.ChoiceCompute:
		value := Fibonacci(c.parameters.FibN)
		self.Send(m.turn.accumulator, accumulatorStop{0, value})
	case choice == table.ChoicePost && index < chats:
		self.Send(c.chats[index], chatPost{m.turn, c.payload(self, m.salt)})
	case choice == table.ChoiceLeave && index < chats:
		chat := c.chats[index]
		c.chats = append(c.chats[:index], c.chats[index+1:]...)
		self.Send(chat, chatLeave{m.turn})
	case choice == table.ChoiceInvite && friends > 0:
		if !directed {
			Shuffle(&c.lcg, c.friends)
			k = c.lcg.NextInt(friends)
		}
		if k == 0 {
			k = 1
		} else if k > friends {
			k = friends
		}
		c.invite(self, m.turn, c.friends[:k])
	case choice == table.ChoiceJoin && index < chats && k < friends:
		self.Send(m.turn.accumulator, accumulatorBump{0, 1, 0})
		self.Send(c.chats[index], chatJoin{m.turn, c.friends[k]})
	default:
		self.Send(m.turn.accumulator, accumulatorStop{0, 0})
	}
}

// selectChoice is by CHAT-20 or CHAT-21.
func (c *client) selectChoice() uint32 {
	p := c.parameters
	actions := [...]struct{ choice, chance uint32 }{
		{table.ChoiceCompute, p.Compute},
		{table.ChoicePost, p.Post},
		{table.ChoiceLeave, p.Leave},
		{table.ChoiceInvite, p.Invite},
	}
	if p.Selection == pb.Selection_SELECTION_CASCADE {
		for _, action := range actions {
			if c.lcg.NextInt(100) < action.chance {
				return action.choice
			}
		}
		return table.ChoiceNone
	}
	draw, limit := c.lcg.NextInt(100), uint32(0)
	for _, action := range actions {
		limit += action.chance
		if draw < limit {
			return action.choice
		}
	}
	return table.ChoiceNone
}

func (c *client) pick(choice uint32) {
	switch choice {
	case table.ChoiceCompute:
		c.picks.computes++
	case table.ChoicePost:
		c.picks.posts++
	case table.ChoiceLeave:
		c.picks.leaves++
	case table.ChoiceInvite:
		c.picks.invites++
	case table.ChoiceNone:
		c.picks.nones++
	}
}

func (c *client) payload(self *actors.Self, salt uint32) uint64 {
	c.posted++
	return uint64(self.Index())<<32 | uint64(salt+c.posted-1)
}

func (c *client) invite(self *actors.Self, turn turn, guests []*actors.Ref) {
	chat := self.Spawn(names.Of(table.ClassChat, self.Index(), c.created), &chat{
		members: []*actors.Ref{&self.Ref},
		keeps:   c.parameters.History,
	})
	c.created++
	c.chats = append(c.chats, chat)
	self.Send(turn.accumulator, accumulatorBump{0, uint64(len(guests)), 0})
	for _, friend := range guests {
		self.Send(chat, chatJoin{turn, friend})
	}
}

func (c *client) report(self *actors.Self) {
	self.Send(c.directory, directoryLeft{sums{uint64(c.lcg), c.picks, c.deliveries, c.joins}})
	self.End()
}
