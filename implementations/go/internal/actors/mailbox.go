package actors

import "sync"

// mailbox is a queue without a bound, with many writers and one reader.
//
// It is no channel: a channel is bounded, and whoever sends to a full one waits, so that two
// actors that send each other much would wait for each other for ever. An unbounded queue behind
// a channel takes a second goroutine for each actor, and every message is handed over twice.
type mailbox[T any] struct {
	mu      sync.Mutex
	filled  sync.Cond
	waiting bool
	letters []T
}

// someRoom is for how many letters there is memory once there is one: most mailboxes that hold one
// letter soon hold more.
const someRoom = 4

// open has to be called before anything else.
func (b *mailbox[T]) open() { b.filled.L = &b.mu }

// put never waits for the reader.
func (b *mailbox[T]) put(letter T) {
	b.mu.Lock()
	if b.letters == nil {
		b.letters = make([]T, 0, someRoom)
	}
	b.letters = append(b.letters, letter)
	wake := b.waiting
	b.waiting = false
	b.mu.Unlock()
	if wake {
		b.filled.Signal()
	}
}

// empty tells whether takeAll would wait.
func (b *mailbox[T]) empty() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.letters) == 0
}

// takeAll waits until there is something, and takes all of it in the order in which it was put.
// The mailbox goes on with the memory of empty.
func (b *mailbox[T]) takeAll(empty []T) []T {
	b.mu.Lock()
	for len(b.letters) == 0 {
		b.waiting = true
		b.filled.Wait()
	}
	letters := b.letters
	b.letters = empty[:0]
	b.mu.Unlock()
	return letters
}
