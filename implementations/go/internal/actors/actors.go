// Package actors is a runtime for actors: each is a goroutine with a mailbox of its own.
package actors

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/trace"
)

// Message is what one actor sends to another. It is not changed any more once it was sent, so
// the same one may be sent to many.
type Message = trace.Event

// Behaviour is what an actor does, with its state. It takes one message at a time, in its own
// goroutine.
type Behaviour interface {
	Take(self *Self, from *Ref, message Message)
}

// Ref is an actor as others know it: its name, and where to send to.
type Ref struct {
	name    names.Name
	mailbox mailbox[letter]
}

type letter struct {
	from    *Ref
	message Message
}

// Name is the same in every run, and carries no address (ACT-3).
func (r *Ref) Name() names.Name { return r.name }

// Index is the first index of the actor's name.
func (r *Ref) Index() uint32 { return r.name.First() }

// Self is an actor as it knows itself.
type Self struct {
	Ref
	world *World
	log   *trace.Log
	ended bool
}

// Send puts a message into another actor's mailbox, or into its own. It never waits.
func (s *Self) Send(to *Ref, message Message) { to.mailbox.put(letter{&s.Ref, message}) }

// SendAll sends each of them the message, in order.
func (s *Self) SendAll(to []*Ref, message Message) {
	for _, each := range to {
		s.Send(each, message)
	}
}

// SendAfter has Go's timer send the actor itself a message, once, no sooner than after the delay.
// Nobody waits for it meanwhile.
func (s *Self) SendAfter(delay time.Duration, message Message) {
	time.AfterFunc(delay, func() { s.Send(&s.Ref, message) })
}

// Spawn makes an actor of the same world.
func (s *Self) Spawn(name names.Name, behaviour Behaviour) *Ref {
	return s.world.Spawn(name, behaviour)
}

// Report tells control something.
func (s *Self) Report(report Report) { s.world.reports.put(report) }

// End makes the message at hand the actor's last one.
func (s *Self) End() { s.ended = true }

func (s *Self) run(behaviour Behaviour) {
	defer s.failed()
	var letters []letter
	for {
		letters = s.mailbox.takeAll(letters)
		for i := range letters {
			from, message := letters[i].from, letters[i].message
			letters[i] = letter{}
			if s.log != nil {
				s.log.Take(from.name, message)
			}
			behaviour.Take(s, from, message)
			if s.ended {
				return
			}
		}
	}
}

// failed turns a panic into the report that ends the call under way (CTRL-10).
func (s *Self) failed() {
	if reason := recover(); reason != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", s.name, reason, debug.Stack())
		s.Report(Failed{s.name, fmt.Sprint(reason)})
	}
}

// Unexpected fails the actor: its class does not take this kind of message.
func Unexpected(message Message) {
	panic(fmt.Sprintf("took a message of kind %d (%T)", message.Kind(), message))
}
