package trace

import (
	"testing"
	"time"
)

// soon is enough for whoever has room; whoever has none waits longer.
const soon = 50 * time.Millisecond

// takers are four goroutines that take the room of 25 events each, and say so of each.
func takers(room *Room) <-chan struct{} {
	taken := make(chan struct{})
	for i := 0; i < 4; i++ {
		go func() {
			for j := 0; j < 25; j++ {
				room.take()
				taken <- struct{}{}
			}
		}()
	}
	return taken
}

// expect fails the test unless so many have taken room, and nobody else does soon.
func expect(t *testing.T, taken <-chan struct{}, events int) {
	t.Helper()
	for i := 0; i < events; i++ {
		select {
		case <-taken:
		case <-time.After(10 * time.Second):
			t.Fatalf("%d had room instead of %d", i, events)
		}
	}
	select {
	case <-taken:
		t.Fatalf("more than %d had room", events)
	case <-time.After(soon):
	}
}

func TestWithoutALimitNobodyWaits(t *testing.T) {
	expect(t, takers(new(Room)), 100)
}

func TestAFullLogLetsNobodyOnUntilItIsDelivered(t *testing.T) {
	room := new(Room)
	room.Limit(10, 3)
	taken := takers(room)
	expect(t, taken, 7)
	room.Delivered(4)
	expect(t, taken, 4)
	room.Limit(0, 0)
	expect(t, taken, 89)
}
