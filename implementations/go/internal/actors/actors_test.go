package actors

import (
	"testing"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/table"
	"dramaturg/internal/control/trace"
)

type number int

func (number) Kind() uint32                { return table.KindCounterAdd }
func (n number) Args(to []uint64) []uint64 { return append(to, uint64(n)) }

// taking is a behaviour without a state.
type taking func(self *Self, from *Ref, message Message)

func (t taking) Take(self *Self, from *Ref, message Message) { t(self, from, message) }

func newWorld(rows ...trace.Watch) *World { return NewWorld(trace.NewWatches(rows)) }

func spawn(world *World, index uint32, behaviour Behaviour) (ref *Ref) {
	world.Populate(func() { ref = world.Spawn(names.Of(table.ClassCounter, index, 0), behaviour) })
	return ref
}

func awaitEnd(t *testing.T, world *World) uint64 {
	t.Helper()
	alive, err := world.AwaitEnd()
	if err != nil {
		t.Fatal(err)
	}
	return alive
}

func TestMessagesOfOneSenderComeInTheirOrder(t *testing.T) {
	const messages = 100000
	world := newWorld()
	next := number(0)
	counter := spawn(world, 0, taking(func(self *Self, _ *Ref, message Message) {
		if message != next {
			t.Errorf("took %v instead of %v", message, next)
		}
		next++
		if next == messages {
			self.End()
		}
	}))
	for n := number(0); n < messages; n++ {
		world.Send(counter, n)
	}
	if alive := awaitEnd(t, world); alive != 0 {
		t.Errorf("%d alive", alive)
	}
}

func TestNobodyWaitsForAReceiverThatIsBusy(t *testing.T) {
	world := newWorld()
	release := make(chan bool)
	busy := spawn(world, 0, taking(func(self *Self, _ *Ref, message Message) {
		<-release
		self.End()
	}))
	for n := number(0); n < 100000; n++ {
		world.Send(busy, n)
	}
	close(release)
	awaitEnd(t, world)
}

func TestAnActorThatEndedTakesNothingMore(t *testing.T) {
	world := newWorld()
	taken := make(chan Message, 2)
	counter := spawn(world, 0, taking(func(self *Self, _ *Ref, message Message) {
		taken <- message
		self.End()
	}))
	world.Send(counter, number(0))
	world.Send(counter, number(1))
	awaitEnd(t, world)
	if len(taken) != 1 {
		t.Errorf("took %d messages", len(taken))
	}
}

func TestAnActorThatNeverEndsIsCountedInItsWorldOnly(t *testing.T) {
	waits := taking(func(*Self, *Ref, Message) {})
	world, other := newWorld(), newWorld()
	for i := uint32(0); i < 3; i++ {
		spawn(world, i, waits)
	}
	if alive := awaitEnd(t, world); alive != 3 {
		t.Errorf("%d alive instead of 3", alive)
	}
	if alive := awaitEnd(t, other); alive != 0 {
		t.Errorf("%d alive in a world without actors", alive)
	}
}

func TestWhoIsSpawnedByAnActorIsOfItsWorld(t *testing.T) {
	world := newWorld()
	spawned := make(chan bool)
	maker := spawn(world, 0, taking(func(self *Self, _ *Ref, _ Message) {
		self.Spawn(names.Of(table.ClassCounter, 1, 0), taking(func(*Self, *Ref, Message) {}))
		close(spawned)
		self.End()
	}))
	world.Send(maker, number(0))
	<-spawned
	if alive := awaitEnd(t, world); alive != 1 {
		t.Errorf("%d alive instead of 1", alive)
	}
}

func TestThousandsThatNeverEndAreCountedExactly(t *testing.T) {
	world := newWorld()
	for i := uint32(0); i < 3*few; i++ {
		spawn(world, i, taking(func(*Self, *Ref, Message) {}))
	}
	if alive := awaitEnd(t, world); alive != 3*few {
		t.Errorf("%d alive instead of %d", alive, 3*few)
	}
}

func TestAnActorThatPanicsIsReported(t *testing.T) {
	world := newWorld()
	world.Send(spawn(world, 7, taking(func(_ *Self, _ *Ref, message Message) { Unexpected(message) })), number(0))
	want := Failed{names.Of(table.ClassCounter, 7, 0), "took a message of kind 337 (actors.number)"}
	if report := world.NextReport(); report != want {
		t.Errorf("reported %v instead of %v", report, want)
	}
	if alive := awaitEnd(t, world); alive != 0 {
		t.Errorf("%d alive", alive)
	}
}
