package actors

import (
	"log/slog"
	"os"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"dramaturg/internal/control/names"
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
	alive   atomic.Uint64
	logs    *trace.Logs
	control Ref
	reports mailbox[Report]
	unread  []Report
	system  *actor.ActorSystem
	timer   *scheduler.TimerScheduler
	distributed
}

// One system is enough for all worlds of one node, which come one after the other: its registry alone
// has 32,768 maps. It says nothing of messages to actors that have ended, which are no error here.
var (
	system = actor.NewActorSystem(actor.WithLoggerFactory(quiet))
	timer  = scheduler.NewTimerScheduler(system.Root)
)

func quiet(*actor.ActorSystem) *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}

// NewWorld is empty.
func NewWorld(watches *trace.Watches) *World {
	w := &World{logs: trace.NewLogs(watches), system: system, timer: timer}
	w.control.name = names.Control
	w.reports.open()
	return w
}

// Logs are those of the actors that are watched.
func (w *World) Logs() *trace.Logs { return w.logs }

// Populate calls f, which spawns the first actors: each node those that live there. Node 0 returns
// once all nodes are connected.
func (w *World) Populate(f func()) error {
	f()
	return w.connect()
}

// Spawn makes an actor, if it lives on this node. Whether it is watched is decided here.
//
// Nobody sends the actor anything before its address is known, so that it does not read the address
// while it is written.
func (w *World) Spawn(name names.Name, behaviour Behaviour) *Ref {
	if !w.place.Alone() {
		return w.spawnAmongNodes(name, behaviour)
	}
	self := &Self{Ref: Ref{name: name}, world: w, log: w.logs.Open(name), behaviour: behaviour}
	w.alive.Add(1)
	self.pid = system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return self }))
	return &self.Ref
}

// Send sends a message from control.
func (w *World) Send(to *Ref, message Message) {
	w.system.Root.Send(to.pid, &letter{&w.control, message})
}

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
