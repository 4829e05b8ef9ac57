package benchmarks

import (
	"fmt"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/table"
)

// The kinds that go from node to node, and how one is read there: as its receiver logs it. A name
// is made of an index again, and an accumulator's of its turn.
func init() {
	actors.Read(map[uint32]actors.Reader{
		table.KindPokerSettled:        func(*actors.Parcel) actors.Message { return pokerSettled{} },
		table.KindPokerFinished:       func(p *actors.Parcel) actors.Message { return pokerFinished{sumsIn(p)} },
		table.KindDirectoryLogin:      func(p *actors.Parcel) actors.Message { return directoryLogin{p.Narrow()} },
		table.KindDirectoryBefriend:   func(*actors.Parcel) actors.Message { return directoryBefriend{} },
		table.KindDirectorySettle:     func(*actors.Parcel) actors.Message { return directorySettle{} },
		table.KindDirectorySettled:    func(*actors.Parcel) actors.Message { return directorySettled{} },
		table.KindDirectoryPoke:       func(p *actors.Parcel) actors.Message { return directoryPoke{turnIn(p), p.Narrow()} },
		table.KindDirectoryAct:        readDirectoryAct,
		table.KindDirectoryDisconnect: func(*actors.Parcel) actors.Message { return directoryDisconnect{} },
		table.KindDirectoryLeft:       func(p *actors.Parcel) actors.Message { return directoryLeft{sumsIn(p)} },
		table.KindClientBefriend:      func(p *actors.Parcel) actors.Message { return clientBefriend{clientIn(p)} },
		table.KindClientSettle:        func(*actors.Parcel) actors.Message { return clientSettle{} },
		table.KindClientAct:           readClientAct,
		table.KindClientForward:       readClientForward,
		table.KindClientAccepted:      func(p *actors.Parcel) actors.Message { return clientAccepted{turnIn(p), p.Narrow()} },
		table.KindClientLeft:          func(p *actors.Parcel) actors.Message { return clientLeft{turnIn(p)} },
		table.KindClientLogout:        func(*actors.Parcel) actors.Message { return clientLogout{} },
		table.KindChatPost:            func(p *actors.Parcel) actors.Message { return chatPost{turnIn(p), p.Wide()} },
		table.KindChatJoin:            func(p *actors.Parcel) actors.Message { return chatJoin{turnIn(p), clientIn(p)} },
		table.KindChatLeave:           func(p *actors.Parcel) actors.Message { return chatLeave{turnIn(p)} },
		table.KindAccumulatorStop:     func(p *actors.Parcel) actors.Message { return accumulatorStop{p.Narrow(), p.Wide()} },
		table.KindAccumulatorBump:     readAccumulatorBump,

		table.KindPingPong: func(p *actors.Parcel) actors.Message { return pingPong{p.Narrow(), p.Wide()} },
		table.KindPongPing: func(p *actors.Parcel) actors.Message { return pongPing{p.Narrow(), p.Wide()} },

		table.KindCoordinatorMarked:   func(p *actors.Parcel) actors.Message { return coordinatorMarked{p.Narrow(), p.Wide()} },
		table.KindCoordinatorIdle:     func(*actors.Parcel) actors.Message { return coordinatorIdle{} },
		table.KindCoordinatorFinished: readCoordinatorFinished,
		table.KindPeerGo:              func(p *actors.Parcel) actors.Message { return peerGo{p.Narrow()} },
		table.KindPeerPing:            func(p *actors.Parcel) actors.Message { return peerPing{p.Narrow(), p.Narrow()} },
		table.KindPeerPong:            func(p *actors.Parcel) actors.Message { return peerPong{p.Narrow(), p.Narrow()} },
		table.KindPeerMark:            func(p *actors.Parcel) actors.Message { return peerMark{p.Narrow()} },
		table.KindPeerStop:            func(*actors.Parcel) actors.Message { return peerStop{} },

		table.KindReceiverBang:     func(p *actors.Parcel) actors.Message { return receiverBang{p.Wide(), p.Narrow()} },
		table.KindReceiverFinished: func(p *actors.Parcel) actors.Message { return receiverFinished{p.Wide(), p.Narrow()} },
		table.KindSenderGo:         func(p *actors.Parcel) actors.Message { return senderGo{p.Narrow()} },
		table.KindSenderAnswer:     func(p *actors.Parcel) actors.Message { return senderAnswer{p.Wide(), p.Narrow()} },
		table.KindSenderStop:       func(*actors.Parcel) actors.Message { return senderStop{} },

		table.KindDispatcherRequest: func(p *actors.Parcel) actors.Message { return dispatcherRequest{p.Narrow(), p.Narrow()} },
		table.KindDispatcherFinished: func(p *actors.Parcel) actors.Message {
			return dispatcherFinished{p.Wide(), p.Narrow()}
		},
		table.KindBrowserGo:     func(p *actors.Parcel) actors.Message { return browserGo{p.Narrow()} },
		table.KindBrowserAnswer: func(p *actors.Parcel) actors.Message { return browserAnswer{p.Narrow(), p.Narrow()} },

		table.KindRouterRequest:   func(p *actors.Parcel) actors.Message { return routerRequest{p.Wide(), p.Narrow()} },
		table.KindEmployeeGo:      func(*actors.Parcel) actors.Message { return employeeGo{} },
		table.KindEmployeeTask:    func(p *actors.Parcel) actors.Message { return employeeTask{p.Narrow(), p.Payload} },
		table.KindEmployeeDismiss: func(*actors.Parcel) actors.Message { return employeeDismiss{} },
	})
}

func readDirectoryAct(p *actors.Parcel) actors.Message {
	return directoryAct{turnIn(p), p.Narrow(), p.Narrow(), p.Narrow(), p.Narrow()}
}

func readClientAct(p *actors.Parcel) actors.Message {
	return clientAct{turnIn(p), p.Narrow(), p.Narrow(), p.Narrow(), p.Narrow()}
}

func readClientForward(p *actors.Parcel) actors.Message {
	return clientForward{turnIn(p), p.Narrow(), p.Wide()}
}

func readAccumulatorBump(p *actors.Parcel) actors.Message {
	return accumulatorBump{p.Narrow(), p.Wide(), p.Narrow()}
}

func readCoordinatorFinished(p *actors.Parcel) actors.Message {
	return coordinatorFinished{p.Wide(), p.Wide(), p.Narrow(), p.Narrow()}
}

func turnIn(p *actors.Parcel) turn {
	number := p.Narrow()
	if number == logout.number {
		return logout
	}
	return turn{number, p.Ref(table.ClassAccumulator, number)}
}

func clientIn(p *actors.Parcel) *actors.Ref { return p.Ref(table.ClassClient, p.Narrow()) }

func sumsIn(p *actors.Parcel) sums {
	return sums{p.Wide(), picks{p.Wide(), p.Wide(), p.Wide(), p.Wide(), p.Wide()}, p.Wide(), p.Wide()}
}

// Load leaves out the checksum (BROKER-5) and the length, which its payload has.
func (m employeeTask) Load() (numbers []uint64, payload []byte) {
	return []uint64{uint64(m.number)}, m.payload
}

// Bear begins who was made on another node.
func (p *poker) Bear(name names.Name, maker *actors.Ref, seed uint32) actors.Behaviour {
	switch name.Class() {
	case table.ClassDirectory:
		return &directory{parameters: p.parameters, poker: maker, lcg: LCG(seed), positions: make(map[uint32]int)}
	case table.ClassClient:
		return &client{directory: maker, lcg: LCG(seed), parameters: p.parameters}
	}
	panic(fmt.Sprintf("%v begins on its maker's node", name))
}

// Seed is of a directory that has drawn nothing yet.
func (d *directory) Seed() uint32 { return uint32(d.lcg) }

// Seed is of a client that has drawn nothing yet.
func (c *client) Seed() uint32 { return uint32(c.lcg) }
