package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
)

// directory makes its clients, makes them friends, and passes the poker's word on.
type directory struct {
	parameters *pb.ChatAppParameters
	poker      *actors.Ref
	lcg        LCG
	clients    []*actors.Ref  // in login order
	positions  map[uint32]int // in clients, by the client's number
	settling   int
	online     int
	sums       sums
}

type directoryLogin struct{ client uint32 }

func (directoryLogin) Kind() uint32                { return table.KindDirectoryLogin }
func (m directoryLogin) Args(to []uint64) []uint64 { return append(to, uint64(m.client)) }

type directoryBefriend struct{}

func (directoryBefriend) Kind() uint32              { return table.KindDirectoryBefriend }
func (directoryBefriend) Args(to []uint64) []uint64 { return to }

type directorySettle struct{}

func (directorySettle) Kind() uint32              { return table.KindDirectorySettle }
func (directorySettle) Args(to []uint64) []uint64 { return to }

type directorySettled struct{}

func (directorySettled) Kind() uint32              { return table.KindDirectorySettled }
func (directorySettled) Args(to []uint64) []uint64 { return to }

type directoryPoke struct {
	turn turn
	salt uint32
}

func (directoryPoke) Kind() uint32 { return table.KindDirectoryPoke }
func (m directoryPoke) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number), uint64(m.salt))
}

type directoryAct struct {
	turn                     turn
	client, choice, index, k uint32
}

func (directoryAct) Kind() uint32 { return table.KindDirectoryAct }
func (m directoryAct) Args(to []uint64) []uint64 {
	return append(to, uint64(m.turn.number),
		uint64(m.client), uint64(m.choice), uint64(m.index), uint64(m.k))
}

type directoryDisconnect struct{}

func (directoryDisconnect) Kind() uint32              { return table.KindDirectoryDisconnect }
func (directoryDisconnect) Args(to []uint64) []uint64 { return to }

type directoryLeft struct{ sums sums }

func (directoryLeft) Kind() uint32                { return table.KindDirectoryLeft }
func (m directoryLeft) Args(to []uint64) []uint64 { return m.sums.args(to) }

func (d *directory) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case directoryLogin:
		d.positions[m.client] = len(d.clients)
		d.clients = append(d.clients, self.Spawn(names.Of(table.ClassClient, m.client, 0), &client{
			directory:  &self.Ref,
			lcg:        LCG(d.lcg.Next()),
			parameters: d.parameters,
		}))
	case directoryBefriend:
		d.befriend(self)
	case directorySettle:
		d.settling = len(d.clients)
		self.SendAll(d.clients, clientSettle{})
	case directorySettled:
		d.settling--
		if d.settling == 0 {
			self.Send(d.poker, pokerSettled{})
		}
	case directoryPoke:
		self.SendAll(d.clients, clientAct{turn: m.turn, choice: table.ChoiceDraw, salt: m.salt})
	case directoryAct:
		act := clientAct{turn: m.turn, choice: m.choice, index: m.index, k: m.k}
		self.Send(d.clients[d.positions[m.client]], act)
	case directoryDisconnect:
		d.online = len(d.clients)
		self.SendAll(d.clients, clientLogout{})
	case directoryLeft:
		d.sums.add(m.sums)
		d.online--
		if d.online == 0 {
			self.Send(d.poker, pokerFinished{d.sums})
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

// befriend passes over all clients for each, until one of them has become its friend (CHAT-11).
func (d *directory) befriend(self *actors.Self) {
	for _, friend := range d.clients {
		for befriended := false; !befriended; {
			for _, client := range d.clients {
				if d.lcg.NextInt(100) < d.parameters.Befriend && client != friend {
					self.Send(client, clientBefriend{friend})
					self.Send(friend, clientBefriend{client})
					befriended = true
				}
			}
		}
	}
}
