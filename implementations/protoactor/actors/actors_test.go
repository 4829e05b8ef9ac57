package actors

import (
	"testing"
	"time"

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

func waits(*Self, *Ref, Message) {}

func newWorld() *World { return NewWorld(trace.NewWatches(nil)) }

func spawn(world *World, index uint32, behaviour taking) *Ref {
	return world.Spawn(names.Of(table.ClassCounter, index, 0), behaviour)
}

func expectAlive(t *testing.T, world *World, expected uint64) {
	t.Helper()
	alive, err := world.AwaitEnd()
	if err != nil {
		t.Fatal(err)
	}
	if alive != expected {
		t.Errorf("%d alive instead of %d", alive, expected)
	}
}

func TestMessagesOfOneSenderComeInTheirOrder(t *testing.T) {
	const messages = 100000
	world := newWorld()
	next := number(0)
	counter := spawn(world, 0, func(self *Self, _ *Ref, message Message) {
		if message != next {
			t.Errorf("took %v instead of %v", message, next)
		}
		next++
		if next == messages {
			self.End()
		}
	})
	for n := number(0); n < messages; n++ {
		world.Send(counter, n)
	}
	expectAlive(t, world, 0)
}

func TestNobodyWaitsForAReceiverThatIsBusy(t *testing.T) {
	world := newWorld()
	release := make(chan bool)
	busy := spawn(world, 0, func(self *Self, _ *Ref, message Message) {
		<-release
		self.End()
	})
	for n := number(0); n < 100000; n++ {
		world.Send(busy, n)
	}
	close(release)
	expectAlive(t, world, 0)
}

func TestAnActorThatEndedTakesNothingMore(t *testing.T) {
	world := newWorld()
	taken := make(chan Message, 2)
	counter := spawn(world, 0, func(self *Self, _ *Ref, message Message) {
		taken <- message
		self.End()
	})
	world.Send(counter, number(0))
	world.Send(counter, number(1))
	expectAlive(t, world, 0)
	if len(taken) != 1 {
		t.Errorf("took %d messages", len(taken))
	}
}

func TestAnActorThatNeverEndsIsCountedInItsWorldOnly(t *testing.T) {
	world, other := newWorld(), newWorld()
	for i := uint32(0); i < 3; i++ {
		spawn(world, i, waits)
	}
	expectAlive(t, world, 3)
	expectAlive(t, other, 0)
}

// Proto.Actor ends an actor's children with it, and has them keep it alive until they have ended.
func TestWhoIsSpawnedByAnActorOutlivesIt(t *testing.T) {
	world := newWorld()
	spawned := make(chan *Ref, 1)
	maker := spawn(world, 0, func(self *Self, _ *Ref, _ Message) {
		spawned <- self.Spawn(names.Of(table.ClassCounter, 1, 0), taking(func(self *Self, _ *Ref, _ Message) {
			self.End()
		}))
		self.End()
	})
	world.Send(maker, number(0))
	made := <-spawned
	expectAlive(t, world, 1)
	world.Send(made, number(1))
	expectAlive(t, world, 0)
}

func TestATimerSendsNoSoonerThanAfterTheDelay(t *testing.T) {
	const delay = 20 * time.Millisecond
	world := newWorld()
	var began time.Time
	sleeper := spawn(world, 0, func(self *Self, _ *Ref, message Message) {
		if message == number(0) {
			began = time.Now()
			self.SendAfter(delay, number(1))
			return
		}
		self.Report(time.Since(began))
		self.End()
	})
	world.Send(sleeper, number(0))
	if slept := world.NextReport().(time.Duration); slept < delay {
		t.Errorf("slept %v", slept)
	}
	expectAlive(t, world, 0)
}

func TestAnActorThatPanicsIsReportedAndNotStartedAgain(t *testing.T) {
	world := newWorld()
	counter := spawn(world, 7, func(_ *Self, _ *Ref, message Message) { Unexpected(message) })
	world.Send(counter, number(0))
	world.Send(counter, number(1))
	want := Failed{names.Of(table.ClassCounter, 7, 0), "took a message of kind 337 (actors.number)"}
	if report := world.NextReport(); report != want {
		t.Errorf("reported %v instead of %v", report, want)
	}
	expectAlive(t, world, 0)
	if n := len(world.reports.letters); n != 0 {
		t.Errorf("%d reports more", n)
	}
}
