package trace

import (
	"sync"
	"sync/atomic"
)

// Room is what the log limit leaves for events that are not delivered yet (CTRL-18). The zero
// value has no limit.
type Room struct {
	limit atomic.Int64

	mu    sync.Mutex
	held  int64
	freed sync.Cond
}

// Limited tells whether there is a limit now.
func (r *Room) Limited() bool { return r.limit.Load() != 0 }

// Limit lets so many events be held, of which some are held already. 0 is no limit.
func (r *Room) Limit(limit, held int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.freed.L = &r.mu
	r.limit.Store(limit)
	r.held = held
	r.freed.Broadcast()
}

// take takes the room of one event, and waits for it while the log is full.
func (r *Room) take() {
	if !r.Limited() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.Limited() && r.held >= r.limit.Load() {
		r.freed.Wait()
	}
	r.held++
}

// Delivered gives the room of these events back.
func (r *Room) Delivered(events int64) {
	if !r.Limited() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held -= events
	r.freed.Broadcast()
}
