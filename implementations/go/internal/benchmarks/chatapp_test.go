package benchmarks

import (
	"testing"

	"dramaturg/internal/control/pb"
)

func TestChatAppEndsWithWhatWasAnnouncedAndNobodyAlive(t *testing.T) {
	receipt, _ := play(t, chatApp(32, 8), 42, nil)
	r := receipt.GetChatapp()
	if receipt.Alive != 0 || r.Announced != r.Consumed || r.Stops != r.Deliveries+r.Joins {
		t.Errorf("the receipt does not agree with itself: %v", receipt)
	}
	if acts := r.Computes + r.Posts + r.Leaves + r.Invites + r.Nones; acts != 32*8 {
		t.Errorf("%d acts instead of %d", acts, 32*8)
	}
}

func TestEveryEventOfChatAppHasAsManyArgumentsAsItsKind(t *testing.T) {
	checkEvents(t, chatApp(16, 4))
}

func chatApp(clients, turns uint32) *pb.Benchmark {
	return &pb.Benchmark{Parameters: &pb.Benchmark_Chatapp{Chatapp: &pb.ChatAppParameters{
		Clients: clients, Directories: clients / 8, Turns: turns,
		Post: 80, Leave: 5, Invite: 15, Befriend: 50,
		Selection: pb.Selection_SELECTION_CUMULATIVE, History: true, Seed: 42,
	}}}
}
