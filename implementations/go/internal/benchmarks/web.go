package benchmarks

import (
	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// webBenchmark is the benchmark of spec/web.md.
type webBenchmark struct {
	micro
	*pb.WebParameters
}

func (b webBenchmark) Populate(world *actors.World) *actors.Ref {
	d := &dispatcher{browsers: make([]*actors.Ref, b.Browsers), worked: make([]bool, b.Workers)}
	idle := make([]*actors.Ref, b.Workers)
	lead := world.Spawn(names.Of(table.ClassDispatcher, 0, 0), d)
	for i := range idle {
		idle[i] = world.Spawn(names.Of(table.ClassWorker, uint32(i), 0), &worker{fibN: b.FibN})
	}
	d.idle.items = idle
	for i := range d.browsers {
		d.browsers[i] = world.Spawn(names.Of(table.ClassBrowser, uint32(i), 0), &browser{
			dispatcher: lead,
			requests:   b.Requests,
		})
	}
	return lead
}

func (webBenchmark) Start(salt uint32) actors.Message { return dispatcherStart{salt} }

func (webBenchmark) Disconnect() actors.Message { return dispatcherDisconnect{} }

// dispatcher gives the request that waits longest to the worker that is idle longest.
type dispatcher struct {
	browsers []*actors.Ref
	worked   []bool // by the worker's index
	waiting  queue[workerWork]
	idle     queue[*actors.Ref]
	finished int
	answers  uint64
	sum      uint32
	used     uint64
}

type dispatcherStart struct{ salt uint32 }

func (dispatcherStart) Kind() uint32                { return table.KindDispatcherStart }
func (m dispatcherStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type dispatcherRequest struct{ number, value uint32 }

func (dispatcherRequest) Kind() uint32 { return table.KindDispatcherRequest }
func (m dispatcherRequest) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

type dispatcherIdle struct{}

func (dispatcherIdle) Kind() uint32              { return table.KindDispatcherIdle }
func (dispatcherIdle) Args(to []uint64) []uint64 { return to }

type dispatcherFinished struct {
	answers uint64
	sum     uint32
}

func (dispatcherFinished) Kind() uint32 { return table.KindDispatcherFinished }
func (m dispatcherFinished) Args(to []uint64) []uint64 {
	return append(to, m.answers, uint64(m.sum))
}

type dispatcherDisconnect struct{}

func (dispatcherDisconnect) Kind() uint32              { return table.KindDispatcherDisconnect }
func (dispatcherDisconnect) Args(to []uint64) []uint64 { return to }

func (d *dispatcher) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case dispatcherStart:
		self.SendAll(d.browsers, browserGo{m.salt})
	case dispatcherRequest:
		d.waiting.push(workerWork{from, m.number, m.value})
		d.dispatch(self)
	case dispatcherIdle:
		d.idle.push(from)
		d.dispatch(self)
		d.reportIfDone(self)
	case dispatcherFinished:
		d.answers += m.answers
		d.sum += m.sum
		d.finished++
		d.reportIfDone(self)
	case dispatcherDisconnect:
		for !d.idle.empty() {
			self.Send(d.idle.pop(), workerStop{})
		}
		self.End()
	default:
		actors.Unexpected(m)
	}
}

func (d *dispatcher) dispatch(self *actors.Self) {
	if d.waiting.empty() || d.idle.empty() {
		return
	}
	worker := d.idle.pop()
	if !d.worked[worker.Index()] {
		d.worked[worker.Index()] = true
		d.used++
	}
	self.Send(worker, d.waiting.pop())
}

func (d *dispatcher) reportIfDone(self *actors.Self) {
	if d.finished == len(d.browsers) && d.idle.size() == len(d.worked) {
		self.Report(Done{stopwatch.Now(), []uint64{d.answers, uint64(d.sum), d.used}})
	}
}

// worker computes.
type worker struct {
	fibN uint32
}

type workerWork struct {
	browser       *actors.Ref
	number, value uint32
}

func (workerWork) Kind() uint32 { return table.KindWorkerWork }
func (m workerWork) Args(to []uint64) []uint64 {
	return append(to, uint64(m.browser.Index()), uint64(m.number), uint64(m.value))
}

type workerStop struct{}

func (workerStop) Kind() uint32              { return table.KindWorkerStop }
func (workerStop) Args(to []uint64) []uint64 { return to }

func (w *worker) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case workerWork:
		f := Fibonacci(w.fibN)
		self.Send(m.browser, browserAnswer{m.number, Fold(m.value, uint32(f))})
		self.Send(from, dispatcherIdle{})
	case workerStop:
		self.End()
	default:
		actors.Unexpected(m)
	}
}

// browser asks again when it was answered.
type browser struct {
	dispatcher *actors.Ref
	requests   uint32
	salted     uint32
	answers    uint32
	sum        uint32
}

type browserGo struct{ salt uint32 }

func (browserGo) Kind() uint32                { return table.KindBrowserGo }
func (m browserGo) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type browserAnswer struct{ number, value uint32 }

func (browserAnswer) Kind() uint32 { return table.KindBrowserAnswer }
func (m browserAnswer) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

func (b *browser) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case browserGo:
		b.salted = Fold(m.salt, self.Index())
		b.request(self)
	case browserAnswer:
		b.answers++
		b.sum += m.value
		if b.answers < b.requests {
			b.request(self)
			return
		}
		self.Send(b.dispatcher, dispatcherFinished{uint64(b.answers), b.sum})
		self.End()
	default:
		actors.Unexpected(m)
	}
}

func (b *browser) request(self *actors.Self) {
	self.Send(b.dispatcher, dispatcherRequest{b.answers, Fold(b.salted, b.answers)})
}
