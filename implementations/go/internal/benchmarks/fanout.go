package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// fanoutBenchmark is the benchmark of spec/fanout.md.
type fanoutBenchmark struct {
	micro
	*pb.FanoutParameters
}

func (b fanoutBenchmark) Populate(world *actors.World) *actors.Ref {
	runners := make([]*actors.Ref, b.Runners)
	lead := world.Spawn(names.Of(table.ClassMaster, 0, 0), &master{
		runners: runners,
		tasks:   b.Tasks,
		window:  b.Window,
		given:   make([]uint32, b.Runners),
	})
	for i := range runners {
		runners[i] = world.Spawn(names.Of(table.ClassRunner, uint32(i), 0), &runner{tasks: b.Tasks})
	}
	return lead
}

func (fanoutBenchmark) Start(salt uint32) actors.Message { return masterStart{salt} }

// master gives tasks in rounds, and the next one to whoever has completed one.
type master struct {
	runners       []*actors.Ref
	tasks, window uint32
	salt          uint32
	given         []uint32 // tasks given to each runner
	completed     uint64
	sum           uint32
}

type masterStart struct{ salt uint32 }

func (masterStart) Kind() uint32                { return table.KindMasterStart }
func (m masterStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type masterCompleted struct{ number, value uint32 }

func (masterCompleted) Kind() uint32 { return table.KindMasterCompleted }
func (m masterCompleted) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

func (a *master) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case masterStart:
		a.salt = m.salt
		rounds := a.tasks
		if a.window > 0 && a.window < rounds {
			rounds = a.window
		}
		for ; rounds > 0; rounds-- {
			for _, runner := range a.runners {
				a.give(self, runner)
			}
		}
	case masterCompleted:
		a.completed++
		a.sum += m.value
		if a.given[from.Index()] < a.tasks {
			a.give(self, from)
		}
		if a.completed == uint64(len(a.runners))*uint64(a.tasks) {
			self.Report(Done{stopwatch.Now(), []uint64{a.completed, uint64(a.sum)}})
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}

func (a *master) give(self *actors.Self, runner *actors.Ref) {
	i := runner.Index()
	n := a.given[i]
	a.given[i]++
	self.Send(runner, runnerTask{n, Fold(Fold(a.salt, i), n)})
}

// runner answers every task.
type runner struct {
	tasks uint32
	taken uint32
}

type runnerTask struct{ number, value uint32 }

func (runnerTask) Kind() uint32 { return table.KindRunnerTask }
func (m runnerTask) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

func (r *runner) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case runnerTask:
		self.Send(from, masterCompleted{m.number, Fold(m.value, r.taken)})
		r.taken++
		if r.taken == r.tasks {
			self.End()
		}
	default:
		actors.Unexpected(m)
	}
}
