package benchmarks

import (
	"math"
	"time"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// sleepersBenchmark is the benchmark of spec/sleepers.md.
type sleepersBenchmark struct {
	micro
	*pb.SleepersParameters
}

func (b sleepersBenchmark) Populate(world *actors.World) *actors.Ref {
	sleepers := make([]*actors.Ref, b.Sleepers)
	lead := world.Spawn(names.Of(table.ClassAlarm, 0, 0), &alarm{
		sleepers: sleepers,
		asleep:   make([]stopwatch.Stamp, b.Sleepers),
		naps:     b.Naps,
		shortest: math.MaxUint64,
	})
	for i := range sleepers {
		sleepers[i] = world.Spawn(names.Of(table.ClassSleeper, uint32(i), 0), &sleeper{
			alarm: lead,
			naps:  b.Naps,
			delay: b.Delay,
		})
	}
	return lead
}

func (sleepersBenchmark) Start(salt uint32) actors.Message { return alarmStart{salt} }

// alarm sends to sleep whoever is awake.
type alarm struct {
	sleepers []*actors.Ref
	asleep   []stopwatch.Stamp // when each was last told to sleep
	naps     uint32
	shortest uint64 // of the naps that have ended, in nanoseconds (SLEEP-5)
	salt     uint32
	awake    uint64
	sum      uint32
}

type alarmStart struct{ salt uint32 }

func (alarmStart) Kind() uint32                { return table.KindAlarmStart }
func (m alarmStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type alarmAwake struct{ number, value uint32 }

func (alarmAwake) Kind() uint32 { return table.KindAlarmAwake }
func (m alarmAwake) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

func (a *alarm) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case alarmStart:
		a.salt = m.salt
		for _, sleeper := range a.sleepers {
			a.nap(self, sleeper, 0)
		}
	case alarmAwake:
		if nap := stopwatch.Now().Nanos(a.asleep[from.Index()]); nap < a.shortest {
			a.shortest = nap
		}
		a.awake++
		a.sum += m.value
		if m.number+1 < a.naps {
			a.nap(self, from, m.number+1)
		}
		if a.awake == uint64(len(a.sleepers))*uint64(a.naps) {
			at := stopwatch.Now()
			self.Report(Readings{Shortest: a.shortest})
			self.Report(Done{at, []uint64{a.awake, uint64(a.sum)}})
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

func (a *alarm) nap(self *actors.Self, sleeper *actors.Ref, number uint32) {
	value := Fold(Fold(a.salt, sleeper.Index()), number)
	a.asleep[sleeper.Index()] = stopwatch.Now()
	self.Send(sleeper, sleeperSleep{number, value})
}

// sleeper is woken by a timer.
type sleeper struct {
	alarm *actors.Ref
	naps  uint32
	delay uint32 // milliseconds
	value uint32 // of the nap under way
}

type sleeperSleep struct{ number, value uint32 }

func (sleeperSleep) Kind() uint32 { return table.KindSleeperSleep }
func (m sleeperSleep) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

type sleeperWake struct{ number uint32 }

func (sleeperWake) Kind() uint32                { return table.KindSleeperWake }
func (m sleeperWake) Args(to []uint64) []uint64 { return append(to, uint64(m.number)) }

func (s *sleeper) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case sleeperSleep:
		s.value = m.value
		self.SendAfter(time.Duration(s.delay)*time.Millisecond, sleeperWake{m.number})
	case sleeperWake:
		self.Send(s.alarm, alarmAwake{m.number, Fold(s.value, s.delay)})
		if m.number+1 == s.naps {
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}
