package benchmarks

// queue is first in, first out.
type queue[T any] struct {
	items []T
	first int
}

func (q *queue[T]) empty() bool { return q.first == len(q.items) }
func (q *queue[T]) size() int   { return len(q.items) - q.first }

func (q *queue[T]) push(item T) { q.items = append(q.items, item) }

// pop moves what is left to the front once that is no more than half.
func (q *queue[T]) pop() T {
	item := q.items[q.first]
	q.first++
	if 2*q.first >= len(q.items) {
		q.items = q.items[:copy(q.items, q.items[q.first:])]
		q.first = 0
	}
	return item
}
