package trace

import (
	"math"
	"sync"

	"dramaturg/internal/control/names"
)

// Event is what a log has of a message: integers (IMPL-11).
type Event interface {
	// Kind is the message's MessageKind.
	Kind() uint32
	// Args appends the message's arguments, in the order of trace.proto.
	Args(to []uint64) []uint64
}

// Log is the receive log of one watched actor. The actor writes it, and Trace reads it,
// perhaps at the same time (CTRL-9).
type Log struct {
	actor    names.Name
	from, to uint64
	room     *Room

	mu    sync.Mutex
	taken uint64
	rows  Rows
}

// Take counts a message that the actor has taken, and keeps it if it is in the slice: as soon as
// there is room.
func (l *Log) Take(sender names.Name, event Event) {
	wanted := l.from <= l.taken && l.taken < l.to
	if wanted {
		l.room.take()
	}
	l.mu.Lock()
	if wanted {
		l.rows.Senders = append(l.rows.Senders, uint64(sender))
		l.rows.Kinds = append(l.rows.Kinds, event.Kind())
		l.rows.Args = event.Args(l.rows.Args)
	}
	l.taken++
	l.mu.Unlock()
}

func (l *Log) held() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(len(l.rows.Kinds))
}

func (l *Log) drain() (Rows, uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rows := l.rows
	l.rows = Rows{}
	return rows, l.taken
}

// Rows are events of one actor, in the order in which it took the messages. Args has the
// arguments of all of them, one after the other.
type Rows struct {
	Senders []uint64
	Kinds   []uint32
	Args    []uint64
}

// Logs are the logs of all watched actors of one world.
type Logs struct {
	watches *Watches
	room    Room

	mu   sync.Mutex
	logs []*Log
}

// NewLogs has no logs yet.
func NewLogs(watches *Watches) *Logs { return &Logs{watches: watches} }

// Open is asked once for each actor, at its birth. It is nil if nobody watches the actor.
func (l *Logs) Open(actor names.Name) *Log {
	watch := l.watches.Find(actor)
	if watch == nil {
		return nil
	}
	log := &Log{actor: actor, from: uint64(watch.From), to: math.MaxUint64, room: &l.room}
	if watch.Events != all {
		log.to = log.from + uint64(watch.Events)
	}
	l.mu.Lock()
	l.logs = append(l.logs, log)
	l.mu.Unlock()
	return log
}

// Limit lets no more than so many events be logged and not delivered, from now on, when nobody
// takes anything; 0 is no limit (CTRL-18).
func (l *Logs) Limit(events uint32) {
	var held int64
	if events != 0 {
		l.mu.Lock()
		logs := l.logs
		l.mu.Unlock()
		for _, log := range logs {
			held += log.held()
		}
	}
	l.room.Limit(int64(events), held)
}

// Limited tells whether there is a limit now.
func (l *Logs) Limited() bool { return l.room.Limited() }

// Delivered tells that so many of the events of Drain have reached the harness.
func (l *Logs) Delivered(events uint64) { l.room.Delivered(int64(events)) }

// Drain visits all watched actors that were born so far, ended or not: what each has logged
// since the last call, and how many messages it has taken in all.
func (l *Logs) Drain(visit func(actor names.Name, rows Rows, taken uint64) error) error {
	l.mu.Lock()
	logs := l.logs
	l.mu.Unlock()
	for _, log := range logs {
		rows, taken := log.drain()
		if err := visit(log.actor, rows, taken); err != nil {
			return err
		}
	}
	return nil
}
