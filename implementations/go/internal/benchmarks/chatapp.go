package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
)

// chatAppBenchmark is the benchmark of spec/chatapp.md. Its actors have a file each:
// chatapp_poker.go and so on.
type chatAppBenchmark struct{ *pb.ChatAppParameters }

func (b chatAppBenchmark) Populate(world *actors.World) *actors.Ref {
	return world.Spawn(names.Of(table.ClassPoker, 0, 0), &poker{
		parameters: b.ChatAppParameters,
		settling:   b.Directories,
		online:     b.Directories,
	})
}

func (chatAppBenchmark) Settle() actors.Message { return pokerPrepare{} }

func (chatAppBenchmark) Act(act *pb.ActRequest) actors.Message {
	return pokerAct{act.Client, uint32(act.Choice), act.Index, act.K}
}

func (chatAppBenchmark) Turn() actors.Message { return pokerTurn{} }

func (chatAppBenchmark) Start(salt uint32) actors.Message { return pokerRun{salt} }

// Disconnect is answered Finished.
func (chatAppBenchmark) Disconnect() actors.Message { return pokerDisconnect{} }

func (b chatAppBenchmark) Over(reports *Reports) bool {
	return len(reports.Confirmed) == int(b.Turns)
}

// RunNanos is the time from the stamp of turn 0 to that of the last confirm.
func (chatAppBenchmark) RunNanos(reports *Reports) uint64 {
	last := reports.Confirmed[len(reports.Confirmed)-1]
	for _, confirmed := range reports.Confirmed {
		if confirmed.Turn == 0 {
			return last.At.Nanos(confirmed.Began)
		}
	}
	panic("turn 0 was never confirmed")
}

func (chatAppBenchmark) Fill(receipt *pb.Receipt, reports *Reports) {
	sums := reports.Finished.sums
	chatapp := &pb.ChatAppReceipt{
		Computes:    sums.computes,
		Posts:       sums.posts,
		Leaves:      sums.leaves,
		Invites:     sums.invites,
		Nones:       sums.nones,
		Joins:       sums.joins,
		Deliveries:  sums.deliveries,
		LcgChecksum: sums.lcg,
		Confirms:    uint64(len(reports.Confirmed)),
		TurnNanos:   make([]uint64, len(reports.Confirmed)),
	}
	var announced, consumed uint32
	for _, confirmed := range reports.Confirmed {
		chatapp.FibSum += confirmed.value
		chatapp.Stops += confirmed.stops
		announced += confirmed.announced
		consumed += confirmed.consumed
		chatapp.TurnNanos[confirmed.Turn] = confirmed.At.Nanos(confirmed.Began)
	}
	chatapp.Announced, chatapp.Consumed = uint64(announced), uint64(consumed)
	receipt.Receipt = &pb.Receipt_Chatapp{Chatapp: chatapp}
}

func (s *sums) add(other sums) {
	s.lcg += other.lcg
	s.computes += other.computes
	s.posts += other.posts
	s.leaves += other.leaves
	s.invites += other.invites
	s.nones += other.nones
	s.deliveries += other.deliveries
	s.joins += other.joins
}

func (s sums) args(to []uint64) []uint64 {
	return append(to, s.lcg, s.computes, s.posts, s.leaves, s.invites, s.nones, s.deliveries, s.joins)
}

// turn is the accumulator of a turn, and its number: what belongs to a turn is reported there.
type turn struct {
	number      uint32
	accumulator *actors.Ref
}

// logout is the turn of those who leave because they log out.
var logout = turn{number: 1<<32 - 1}
