package trace

import (
	"reflect"
	"testing"

	"dramaturg/internal/control/names"
	"dramaturg/internal/control/table"
)

type event uint64

func (event) Kind() uint32                { return table.KindClientBefriend }
func (e event) Args(to []uint64) []uint64 { return append(to, uint64(e)) }

// What six messages leave of the actors of an example in spec/actors.md.
func TestTheExampleOfTheSpecification(t *testing.T) {
	watches := NewWatches([]Watch{
		{Class: 4, Modulus: 3, Remainder: 1, First: 0, Last: 8, From: 2, Events: 1<<32 - 1},
		{Class: 4, Modulus: 1, Remainder: 0, First: 4, Last: 9, From: 0, Events: 3},
	})
	for _, example := range []struct {
		actor names.Name
		log   []uint64
	}{
		{names.Of(4, 1, 0), []uint64{2, 3, 4, 5}},
		{names.Of(4, 7, 0), []uint64{2, 3, 4, 5}},
		{names.Of(4, 4, 0), []uint64{2, 3, 4, 5}},
		{names.Of(4, 5, 0), []uint64{0, 1, 2}},
		{names.Of(4, 9, 0), []uint64{0, 1, 2}},
		{names.Of(4, 0, 0), nil},
		{names.Of(5, 4, 0), nil},
	} {
		logs := NewLogs(watches)
		log := logs.Open(example.actor)
		if (log != nil) != (example.log != nil) {
			t.Errorf("%v is watched: %v", example.actor, log != nil)
		}
		if log == nil {
			continue
		}
		for i := event(0); i < 6; i++ {
			log.Take(names.Control, i)
		}
		err := logs.Drain(func(actor names.Name, rows Rows, taken uint64) error {
			if actor != example.actor || taken != 6 || !reflect.DeepEqual(rows.Args, example.log) {
				t.Errorf("%v has %v of %d; expected %v of 6 for %v",
					actor, rows.Args, taken, example.log, example.actor)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestEverybodyFitsTheRowOfClass0(t *testing.T) {
	watches := NewWatches([]Watch{{Modulus: 1, Last: 1<<32 - 1, Events: 1<<32 - 1}})
	for class := range table.ClassLabels {
		if watches.Find(names.Of(class, 1<<32-1, 1)) == nil {
			t.Errorf("class %d does not fit", class)
		}
	}
}

func TestAnEventIsDeliveredOnce(t *testing.T) {
	logs := NewLogs(NewWatches([]Watch{{Class: 4, Modulus: 1, Events: 1<<32 - 1}}))
	log := logs.Open(names.Of(4, 0, 0))
	for _, expected := range [][]uint64{{0}, nil, {2, 3}} {
		for _, e := range expected {
			log.Take(names.Control, event(e))
		}
		err := logs.Drain(func(_ names.Name, rows Rows, _ uint64) error {
			if !reflect.DeepEqual(rows.Args, expected) {
				t.Errorf("%v instead of %v", rows.Args, expected)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
