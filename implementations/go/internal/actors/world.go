package actors

import (
	"context"
	"runtime/pprof"
	"strconv"
	"sync/atomic"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/trace"
)

// Report is what an actor tells control.
type Report interface{}

// Failed is the report of an actor that panicked.
type Failed struct {
	Actor  names.Name
	Reason string
}

// World is all actors of one iteration.
type World struct {
	number  string
	logs    *trace.Logs
	control Ref
	reports mailbox[Report]
	unread  []Report
}

var worlds atomic.Uint64

// NewWorld is empty.
func NewWorld(watches *trace.Watches) *World {
	w := &World{number: strconv.FormatUint(worlds.Add(1), 10), logs: trace.NewLogs(watches)}
	w.control.name = names.Control
	w.reports.open()
	return w
}

// Logs are those of the actors that are watched.
func (w *World) Logs() *trace.Logs { return w.logs }

// Join is told on which node of which the world is. Go has one, and builds nothing for it.
func (w *World) Join(*pb.PrepareRequest) (built uint64, err error) { return 0, nil }

// Leads tells whether the lead lives on this node. Go has one.
func (w *World) Leads() bool { return true }

// Populate calls f, which spawns the first actors. Their goroutines bear the world's label, and
// so do the goroutines of all whom they spawn: by it Go's runtime knows the actors of this world.
func (w *World) Populate(f func()) error {
	pprof.Do(context.Background(), pprof.Labels(label, w.number), func(context.Context) { f() })
	return nil
}

// Spawn makes an actor. Whether it is watched is decided here.
func (w *World) Spawn(name names.Name, behaviour Behaviour) *Ref {
	self := &Self{Ref: Ref{name: name}, world: w, log: w.logs.Open(name)}
	self.mailbox.open()
	go self.run(behaviour)
	return &self.Ref
}

// Send sends a message from control.
func (w *World) Send(to *Ref, message Message) { to.mailbox.put(letter{&w.control, message}) }

// HasReport tells whether NextReport would return at once.
func (w *World) HasReport() bool { return len(w.unread) > 0 || !w.reports.empty() }

// NextReport waits for what an actor tells control. One goroutine may call it at a time.
func (w *World) NextReport() Report {
	if len(w.unread) == 0 {
		w.unread = w.reports.takeAll(nil)
	}
	report := w.unread[0]
	w.unread = w.unread[1:]
	return report
}
