// Package trace has the receive logs of watched actors, and decides who is watched.
package trace

import "dramaturg/internal/control/names"

// everyone is the class of the one watch that fits every class.
const everyone = 0

// all is the number of events that stands for all that there are (TRACE-16).
const all = 1<<32 - 1

// Watch is a row of Prepare: whose messages are logged, and which of them (TRACE-1).
type Watch struct {
	Class              uint8
	Modulus, Remainder uint32
	First, Last        uint32
	From, Events       uint32
}

func (w *Watch) fits(name names.Name) bool {
	index := name.First()
	return w.First <= index && index <= w.Last && index%w.Modulus == w.Remainder
}

// Watches are the rows of one world, by class, in the order of Prepare.
type Watches [128][]Watch

// NewWatches puts rows into a table by their classes. A row of class 0 is the only one.
func NewWatches(rows []Watch) *Watches {
	table := new(Watches)
	for _, row := range rows {
		table[row.Class] = append(table[row.Class], row)
	}
	if rows := table[everyone]; rows != nil {
		for class := range table {
			table[class] = rows
		}
	}
	return table
}

// Find is the actor's own watch: the first one that it fits. None: nil.
func (t *Watches) Find(name names.Name) *Watch {
	rows := t[name.Class()]
	for i := range rows {
		if rows[i].fits(name) {
			return &rows[i]
		}
	}
	return nil
}
