// Package actors has Proto.Actor's actors, as the benchmarks know them.
package actors

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/trace"
	"dramaturg/internal/nodes"
)

// Message is what one actor sends to another. It is not changed any more once it was sent, so
// the same one may be sent to many.
type Message = trace.Event

// Behaviour is what an actor does, with its state. It takes one message at a time.
type Behaviour interface {
	Take(self *Self, from *Ref, message Message)
}

// Ref is an actor as others know it: its name, and its address in Proto.Actor.
type Ref struct {
	name names.Name
	pid  *actor.PID
	far  bool // on another node
}

// letter is what is in Proto.Actor's mailboxes. Its own envelope has the sender's address alone,
// and a name cannot be found by it once the sender has ended.
type letter struct {
	from    *Ref
	message Message
}

// Name is the same in every run, and carries no address (ACT-3).
func (r *Ref) Name() names.Name { return r.name }

// Index is the first index of the actor's name.
func (r *Ref) Index() uint32 { return r.name.First() }

// Self is an actor as it knows itself. It stands between Proto.Actor and a behaviour.
type Self struct {
	Ref
	world     *World
	log       *trace.Log
	behaviour Behaviour
	context   actor.Context
}

// Receive is called by Proto.Actor, with one message at a time.
func (s *Self) Receive(context actor.Context) {
	switch m := context.Message().(type) {
	case *letter:
		defer s.failed()
		s.take(m)
	case *nodes.Letter:
		defer s.failed()
		s.take(s.world.opened(m))
	case *actor.Started:
		s.context = context
	case *actor.Stopped:
		s.world.ended()
	}
}

func (s *Self) take(m *letter) {
	if s.log != nil {
		s.log.Take(m.from.name, m.message)
	}
	s.behaviour.Take(s, m.from, m.message)
}

// Send puts a message into another actor's mailbox, or into its own. It never waits.
func (s *Self) Send(to *Ref, message Message) {
	if to.far {
		s.context.Send(to.pid, sealed(&s.Ref, message))
		return
	}
	s.context.Send(to.pid, &letter{&s.Ref, message})
}

// SendAll sends each of them the message, in order. One letter will do for all, and one for all on
// other nodes: nobody changes it.
func (s *Self) SendAll(to []*Ref, message Message) {
	same := &letter{&s.Ref, message}
	var far *nodes.Letter
	for _, each := range to {
		if !each.far {
			s.context.Send(each.pid, same)
			continue
		}
		if far == nil {
			far = sealed(&s.Ref, message)
		}
		s.context.Send(each.pid, far)
	}
}

// SendAfter has Proto.Actor's timer send the actor itself a message, once, no sooner than after the
// delay. Nobody waits for it meanwhile.
func (s *Self) SendAfter(delay time.Duration, message Message) {
	s.world.timer.SendOnce(delay, s.pid, &letter{&s.Ref, message})
}

// Spawn makes an actor of the same world, on whichever node it lives. It is nobody's child:
// Proto.Actor ends an actor's children with it, and actors here outlive those that made them.
func (s *Self) Spawn(name names.Name, behaviour Behaviour) *Ref {
	if s.world.elsewhere(name) {
		return s.world.bearElsewhere(s, name, behaviour.(Seeded).Seed())
	}
	return s.world.Spawn(name, behaviour)
}

// Report tells control something.
func (s *Self) Report(report Report) { s.world.reports.put(report) }

// End makes the message at hand the actor's last one: Proto.Actor takes this word before the next
// message.
func (s *Self) End() { s.context.Stop(s.pid) }

// failed turns a panic into the report that ends the call under way (CTRL-10), and ends the actor.
// Proto.Actor would start it again, as if nothing had happened.
func (s *Self) failed() {
	if reason := recover(); reason != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", s.name, reason, debug.Stack())
		s.world.failed(s.name, fmt.Sprint(reason))
		s.End()
	}
}

// Unexpected fails the actor: its class does not take this kind of message.
func Unexpected(message Message) {
	panic(fmt.Sprintf("took a message of kind %d (%T)", message.Kind(), message))
}
