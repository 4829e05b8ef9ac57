package actors

import (
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
	"github.com/asynkron/protoactor-go/scheduler"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/nodes"
)

const (
	// patience is far more than a node takes that shares a few cores with dozens of others. A greeting
	// to who refuses the stream is never answered: Proto.Actor loses it.
	patience = 30 * time.Second
	// fewUnderWay is for how many messages to a node there is room at first; Proto.Actor has a
	// million. The ring grows.
	fewUnderWay = 1024
)

// distributed is a world's part in which it is one of several nodes.
type distributed struct {
	place   nodes.Place
	nursery *actor.PID
	bearer  Bearer

	mu   sync.RWMutex
	refs map[names.Name]*Ref
}

// Bearer is a behaviour that knows how those begin whom actors of other nodes make. It is among
// those that there are at first: each node knows it, wherever it lives.
type Bearer interface {
	Bear(name names.Name, maker *Ref, seed uint32) Behaviour
}

// Seeded is a behaviour that can begin on another node than its maker's.
type Seeded interface{ Seed() uint32 }

// connected is the system that has Proto.Actor's remote. It stays as long as its address is wanted:
// an actor system has one remote, and a remote one address.
var connected struct {
	address string
	system  *actor.ActorSystem
	remote  *remote.Remote
	world   atomic.Pointer[World]
}

// Join says which node of which this is, before the first actor is spawned. It is how many
// nanoseconds it took to build what outlives the world.
func (w *World) Join(request *pb.PrepareRequest) (built uint64, err error) {
	if former := connected.world.Swap(nil); former != nil {
		former.system.ProcessRegistry.Remove(former.nursery)
	}
	place := nodes.Of(request)
	if place.Alone() {
		return 0, nil
	}
	if address := place.Address(place.Node); address != connected.address {
		began := time.Now()
		if err := listen(address); err != nil {
			return 0, fmt.Errorf("%s cannot listen: %w", place.Spell(place.Node), err)
		}
		built = uint64(time.Since(began))
	}
	w.system, w.timer = connected.system, scheduler.NewTimerScheduler(connected.system.Root)
	w.distributed = distributed{place: place, refs: make(map[names.Name]*Ref)}
	w.nursery, _ = w.system.ProcessRegistry.Add(nursery{w}, place.Nursery())
	connected.world.Store(w)
	return built, nil
}

// listen starts Proto.Actor's remote, in place of the one that listened at another address.
func listen(address string) (err error) {
	if connected.remote != nil {
		connected.remote.Shutdown(false)
		connected.address, connected.remote = "", nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	// Remote panics where it cannot listen.
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	system := actor.NewActorSystem(actor.WithLoggerFactory(quiet))
	system.EventStream.Subscribe(lost)
	started := remote.NewRemote(system, remote.Configure(host, number,
		remote.WithAdvertisedHost(address),
		// What is under way goes in batches of up to 1,000 messages, of any size; a server of gRPC
		// takes no more than 4 MiB, and ends the connection.
		remote.WithServerOptions(grpc.MaxRecvMsgSize(math.MaxInt32),
			grpc.StreamInterceptor(admitted), grpc.UnaryInterceptor(refused)),
		remote.WithDialOptions(grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithPerRPCCredentials(secretly{})),
		remote.WithEndpointWriterQueueSize(fewUnderWay),
	))
	started.Start()
	connected.address, connected.system, connected.remote = address, system, started
	return nil
}

// lost hears that a connection has ended. The lead's node is connected to each other (DIST-5).
func lost(event interface{}) {
	terminated, ok := event.(*remote.EndpointTerminatedEvent)
	w := connected.world.Load()
	if !ok || w == nil || !w.Leads() {
		return
	}
	if node, found := w.place.At(terminated.Address); found {
		w.reports.put(Failed{names.Control, w.place.Spell(node) + " was lost"})
	}
}

// Leads tells whether the lead lives on this node.
func (w *World) Leads() bool { return w.place.Node == 0 }

// connect has node 0 greet all others, which in a mesh have greeted all with a higher number when
// they answer. So there is a connection each way wherever there is something to send (DIST-2).
func (w *World) connect() error {
	if w.place.Alone() || !w.Leads() {
		return nil
	}
	return w.greet(w.place.Mesh())
}

func (w *World) greet(mesh bool) error {
	for node := w.place.Node + 1; node < w.place.Nodes(); node++ {
		nursery := actor.NewPID(w.place.Address(node), w.place.Nursery())
		answer, err := w.system.Root.RequestFuture(nursery, &nodes.Greeting{Mesh: mesh}, patience).Result()
		switch {
		case errors.Is(err, actor.ErrDeadLetter):
			return fmt.Errorf("%s does not listen, or does not know the secret", w.place.Spell(node))
		case err != nil:
			return fmt.Errorf("%s does not answer: %w", w.place.Spell(node), err)
		}
		if greeted, ok := answer.(*nodes.Greeted); !ok || greeted.Problem != "" {
			return fmt.Errorf("%s: %s", w.place.Spell(node), greeted.GetProblem())
		}
	}
	return nil
}

// nursery is a process of Proto.Actor without a mailbox: it acts in the goroutine that reads the
// connection, so that who is born is there before the maker's next message is read (DIST-7).
type nursery struct{ *World }

func (n nursery) SendUserMessage(_ *actor.PID, envelope interface{}) {
	_, message, sender := actor.UnwrapEnvelope(envelope)
	switch m := message.(type) {
	case *nodes.Greeting:
		go n.answer(m, sender)
	case *nodes.Birth:
		n.bear(m)
	case *nodes.Failure:
		n.reports.put(Failed{names.Name(m.Actor), m.Reason})
	}
}

func (nursery) SendSystemMessage(*actor.PID, interface{}) {}
func (nursery) Stop(*actor.PID)                           {}

func (n nursery) answer(greeting *nodes.Greeting, sender *actor.PID) {
	answer := new(nodes.Greeted)
	if greeting.Mesh {
		if err := n.greet(false); err != nil {
			answer.Problem = err.Error()
		}
	}
	n.system.Root.Send(sender, answer)
}

func (n nursery) bear(birth *nodes.Birth) {
	name := names.Name(birth.Name)
	defer func() {
		if reason := recover(); reason != nil {
			n.failed(name, fmt.Sprint(reason))
		}
	}()
	n.Spawn(name, n.bearer.Bear(name, n.ref(names.Name(birth.Maker)), birth.Seed))
}

// failed tells control that an actor has failed; on another node than the lead's it tells that one.
func (w *World) failed(name names.Name, reason string) {
	w.reports.put(Failed{name, reason})
	if !w.Leads() {
		lead := actor.NewPID(w.place.Address(0), w.place.Nursery())
		w.system.Root.Send(lead, &nodes.Failure{Actor: uint64(name), Reason: reason})
	}
}

// elsewhere tells whether an actor lives on another node.
func (w *World) elsewhere(name names.Name) bool {
	return !w.place.Alone() && w.place.Home(name) != w.place.Node
}

// spawnAmongNodes makes an actor if it lives on this node. Others find it by its name: here as soon as
// it is kept, on other nodes by its ID.
func (w *World) spawnAmongNodes(name names.Name, behaviour Behaviour) *Ref {
	if bearer, ok := behaviour.(Bearer); ok {
		w.bearer = bearer
	}
	if w.elsewhere(name) {
		return w.ref(name)
	}
	ref := Ref{name: name, pid: w.pid(name)}
	self := &Self{Ref: ref, world: w, log: w.logs.Open(name), behaviour: behaviour}
	w.alive.Add(1)
	w.keep(&self.Ref)
	props := actor.PropsFromProducer(func() actor.Actor { return self })
	if _, err := w.system.Root.SpawnNamed(props, self.pid.Id); err != nil {
		panic(fmt.Sprintf("cannot spawn %v: %v", name, err))
	}
	return &self.Ref
}

// bearElsewhere has an actor begin on another node. It is sent like the messages of its maker, and
// so before those that follow.
func (w *World) bearElsewhere(maker *Self, name names.Name, seed uint32) *Ref {
	nursery := actor.NewPID(w.place.Address(w.place.Home(name)), w.place.Nursery())
	maker.context.Send(nursery, &nodes.Birth{Name: uint64(name), Maker: uint64(maker.name), Seed: seed})
	return w.ref(name)
}

// ref is the one Ref of an actor of any node. Of this node it must be there already.
func (w *World) ref(name names.Name) *Ref {
	if name == names.Control {
		return &w.control
	}
	w.mu.RLock()
	ref := w.refs[name]
	w.mu.RUnlock()
	if ref != nil {
		return ref
	}
	if !w.elsewhere(name) {
		panic(fmt.Sprintf("%v is not here", name))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if ref = w.refs[name]; ref == nil {
		ref = &Ref{name: name, pid: w.pid(name), far: true}
		w.refs[name] = ref
	}
	return ref
}

func (w *World) keep(ref *Ref) {
	w.mu.Lock()
	w.refs[ref.name] = ref
	w.mu.Unlock()
}

func (w *World) pid(name names.Name) *actor.PID {
	return actor.NewPID(w.place.Address(w.place.Home(name)), w.place.ID(name))
}
