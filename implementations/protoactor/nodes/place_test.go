package nodes

import (
	"testing"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
)

// The example of spec/distributed.md: three nodes, and by class the node of each index.
func TestActorsLiveWhereTheChaptersExampleHasThem(t *testing.T) {
	p := Of(&pb.PrepareRequest{
		Benchmark: &pb.Benchmark{Parameters: &pb.Benchmark_Chatapp{
			Chatapp: &pb.ChatAppParameters{Clients: 7, Directories: 2}}},
		Peers: []*pb.Peer{{Host: "10.0.0.1", Port: 1}, {Host: "10.0.0.2", Port: 2}, {Host: "10.0.0.3", Port: 3}},
	})
	for class, homes := range map[uint8][]int{
		table.ClassPing:        {0},
		table.ClassPong:        {1},
		table.ClassCoordinator: {0},
		table.ClassPeer:        {0, 1, 2, 0, 1},
		table.ClassReceiver:    {0},
		table.ClassSender:      {1, 2, 1, 2, 1},
		table.ClassDispatcher:  {0},
		table.ClassWorker:      {0, 0, 0},
		table.ClassBrowser:     {1, 2, 1, 2, 1},
		table.ClassEmployer:    {0},
		table.ClassRouter:      {0},
		table.ClassEmployee:    {1, 2, 1, 2, 1},
		table.ClassPoker:       {0},
		table.ClassAccumulator: {0, 0, 0},
		table.ClassDirectory:   {0, 1},
		table.ClassClient:      {0, 0, 1, 1, 2, 2, 0},
		table.ClassChat:        {0, 0, 1, 1, 2, 2, 0},
	} {
		for index, home := range homes {
			if name := names.Of(class, uint32(index), 0); p.Home(name) != home {
				t.Errorf("%v lives on node %d instead of %d", name, p.Home(name), home)
			}
		}
	}
}

func TestANodeIsFoundByItsAddress(t *testing.T) {
	p := Of(&pb.PrepareRequest{Peers: []*pb.Peer{{Host: "10.0.0.1", Port: 1}, {Host: "::1", Port: 2}}})
	if node, found := p.At("[::1]:2"); node != 1 || !found {
		t.Errorf("node %d, found: %v", node, found)
	}
	if _, found := p.At("10.0.0.1:2"); found {
		t.Error("found where nobody listens")
	}
}
