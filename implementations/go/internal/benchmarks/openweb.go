package benchmarks

import (
	"math/bits"
	"time"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/table"
)

// openWebBenchmark is the benchmark of spec/openweb.md.
type openWebBenchmark struct {
	micro
	*pb.OpenWebParameters
}

func (b openWebBenchmark) Populate(world *actors.World) *actors.Ref {
	due := arrivals(b.Requests, b.Gap, b.Seed)
	s := &source{due: due, arrived: make([]stopwatch.Stamp, len(due)), answered: make([]stopwatch.Stamp, len(due))}
	lead := world.Spawn(names.Of(table.ClassSource, 0, 0), s)
	idle := make([]*actors.Ref, b.Servers)
	s.balancer = world.Spawn(names.Of(table.ClassBalancer, 0, 0), &balancer{
		source:      lead,
		requests:    b.Requests,
		idleServers: queue[*actors.Ref]{items: idle},
		used:        make([]bool, b.Servers),
	})
	for i := range idle {
		idle[i] = world.Spawn(names.Of(table.ClassServer, uint32(i), 0), &server{source: lead, fibN: b.FibN})
	}
	return lead
}

func (openWebBenchmark) Start(salt uint32) actors.Message { return sourceStart{salt} }

func (openWebBenchmark) Disconnect() actors.Message { return sourceDisconnect{} }

func (b openWebBenchmark) Fill(receipt *pb.Receipt, reports *Reports) {
	b.micro.Fill(receipt, reports)
	done, read := receipt.GetDone(), reports.Readings
	done.Latency = histogramOf(read.Answered, read.Due, reports.Started)
	done.Lateness = histogramOf(read.Arrived, read.Due, reports.Started)
}

// arrivals says when each request is due, in nanoseconds after the start of the run (OPEN-1).
func arrivals(requests, gap, seed uint32) []uint64 {
	var quantiles [256]uint64 // as millionths of the gap
	quantile := uint64(0)
	for i := range quantiles {
		quantile += 1_000_000 / uint64(len(quantiles)-i)
		quantiles[i] = quantile
	}
	lcg, total := LCG(seed), uint64(0)
	due := make([]uint64, requests)
	for i := range due {
		total += quantiles[lcg.Next()/256]
		due[i] = uint64(gap) * total / 1000
	}
	return due
}

// histogram counts, by buckets, how long after they were due things were read (OPEN-5).
type histogram []uint64

// add counts one, from the time at which it was due and a reading of the clock, both in nanoseconds
// after the start of a run (OPEN-9).
func (h *histogram) add(due, read uint64) {
	bucket := bucketOf(read - due)
	for len(*h) <= bucket {
		*h = append(*h, 0)
	}
	(*h)[bucket]++
}

// histogramOf counts all readings of a run.
func histogramOf(read []stopwatch.Stamp, due []uint64, started stopwatch.Stamp) (h histogram) {
	for i, stamp := range read {
		h.add(due[i], stamp.Nanos(started))
	}
	return h
}

// latencies are the histogram of requests that are due at once, and are answered at these times.
func latencies(due uint64, answered []uint64) (h histogram) {
	for _, read := range answered {
		h.add(due, read)
	}
	return h
}

func bucketOf(nanos uint64) int {
	if nanos < 256 {
		return int(nanos)
	}
	shift := bits.Len64(nanos) - 8
	return 128*shift + int(nanos>>shift)
}

// source sends each request when it is due, and waits for no answer.
type source struct {
	balancer *actors.Ref
	due      []uint64
	// What the clock said, by requests. What is due is so after the start of the run, which control
	// knows; so histograms are made of it there.
	arrived, answered []stopwatch.Stamp
	started           stopwatch.Stamp
	salt              uint32
	answers           uint64
	sum               uint32
	used              uint64
}

type sourceStart struct{ salt uint32 }

func (sourceStart) Kind() uint32                { return table.KindSourceStart }
func (m sourceStart) Args(to []uint64) []uint64 { return append(to, uint64(m.salt)) }

type sourceArrive struct {
	number uint32
	due    uint64
}

func (sourceArrive) Kind() uint32                { return table.KindSourceArrive }
func (m sourceArrive) Args(to []uint64) []uint64 { return append(to, uint64(m.number), m.due) }

type sourceAnswer struct{ number, value uint32 }

func (sourceAnswer) Kind() uint32 { return table.KindSourceAnswer }
func (m sourceAnswer) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

type sourceDrained struct{ used uint64 }

func (sourceDrained) Kind() uint32                { return table.KindSourceDrained }
func (m sourceDrained) Args(to []uint64) []uint64 { return append(to, m.used) }

type sourceDisconnect struct{}

func (sourceDisconnect) Kind() uint32              { return table.KindSourceDisconnect }
func (sourceDisconnect) Args(to []uint64) []uint64 { return to }

func (s *source) Take(self *actors.Self, _ *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case sourceStart:
		s.started = stopwatch.Now()
		s.salt = m.salt
		s.await(self, 0)
	case sourceArrive:
		s.arrived[m.number] = stopwatch.Now()
		self.Send(s.balancer, balancerRequest{m.number, Fold(Fold(s.salt, m.number), uint32(m.due))})
		if next := m.number + 1; int(next) < len(s.due) {
			s.await(self, next)
		}
	case sourceAnswer:
		s.answered[m.number] = stopwatch.Now()
		s.answers++
		s.sum += m.value
		s.reportWhenDone(self)
	case sourceDrained:
		s.used = m.used
		s.reportWhenDone(self)
	case sourceDisconnect:
		self.Send(s.balancer, balancerClose{})
		self.End()
	default:
		actors.Unexpected(m)
	}
}

func (s *source) await(self *actors.Self, number uint32) {
	due := s.due[number]
	// What is due already comes at once: a timer takes a negative time for none.
	after := time.Duration(due) - time.Duration(stopwatch.Now().Nanos(s.started))
	self.SendAfter(after, sourceArrive{number, due})
}

func (s *source) reportWhenDone(self *actors.Self) {
	if s.used > 0 && s.answers == uint64(len(s.due)) {
		at := stopwatch.Now()
		self.Report(Readings{Due: s.due, Arrived: s.arrived, Answered: s.answered})
		self.Report(Done{at, []uint64{s.answers, uint64(s.sum), s.used}})
	}
}

// balancer gives the request that waits longest to the server that is idle longest.
type balancer struct {
	source      *actors.Ref
	requests    uint32
	idleServers queue[*actors.Ref]
	waiting     queue[serverWork]
	given       uint32
	used        []bool // by the server's index
}

type balancerRequest struct{ number, value uint32 }

func (balancerRequest) Kind() uint32 { return table.KindBalancerRequest }
func (m balancerRequest) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

type balancerIdle struct{}

func (balancerIdle) Kind() uint32              { return table.KindBalancerIdle }
func (balancerIdle) Args(to []uint64) []uint64 { return to }

type balancerClose struct{}

func (balancerClose) Kind() uint32              { return table.KindBalancerClose }
func (balancerClose) Args(to []uint64) []uint64 { return to }

func (b *balancer) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case balancerRequest:
		b.waiting.push(serverWork{m.number, m.value})
		b.assign(self)
	case balancerIdle:
		b.idleServers.push(from)
		b.assign(self)
		if b.given == b.requests && b.idleServers.size() == len(b.used) {
			self.Send(b.source, sourceDrained{b.serversUsed()})
		}
	case balancerClose:
		for !b.idleServers.empty() {
			self.Send(b.idleServers.pop(), serverStop{})
		}
		self.End()
	default:
		actors.Unexpected(m)
	}
}

func (b *balancer) assign(self *actors.Self) {
	if b.waiting.empty() || b.idleServers.empty() {
		return
	}
	work, server := b.waiting.pop(), b.idleServers.pop()
	b.given++
	b.used[server.Index()] = true
	self.Send(server, work)
}

func (b *balancer) serversUsed() (count uint64) {
	for _, used := range b.used {
		if used {
			count++
		}
	}
	return count
}

// server computes.
type server struct {
	source *actors.Ref
	fibN   uint32
}

type serverWork struct{ number, value uint32 }

func (serverWork) Kind() uint32 { return table.KindServerWork }
func (m serverWork) Args(to []uint64) []uint64 {
	return append(to, uint64(m.number), uint64(m.value))
}

type serverStop struct{}

func (serverStop) Kind() uint32              { return table.KindServerStop }
func (serverStop) Args(to []uint64) []uint64 { return to }

func (s *server) Take(self *actors.Self, from *actors.Ref, message actors.Message) {
	switch m := message.(type) {
	case serverWork:
		f := Fibonacci(s.fibN)
		self.Send(s.source, sourceAnswer{m.number, Fold(m.value, uint32(f))})
		self.Send(from, balancerIdle{})
	case serverStop:
		self.End()
	default:
		actors.Unexpected(m)
	}
}
