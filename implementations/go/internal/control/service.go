// Package control is the control port: it takes calls, and drives one world at a time
// (spec/control.md).
package control

import (
	"context"
	"fmt"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"dramaturg/internal/actors"
	"dramaturg/internal/benchmarks"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/stopwatch"
	"dramaturg/internal/control/trace"
)

// Service answers the calls. The harness makes one at a time, and none out of order, but for
// Trace (CTRL-2, CTRL-9).
type Service struct {
	pb.UnimplementedControlServer

	mu      sync.Mutex
	session session
}

// session is the world that was prepared last.
type session struct {
	world     *actors.World
	benchmark benchmarks.Benchmark
	lead      *actors.Ref
	reports   *benchmarks.Reports
}

func (s *Service) enter(c session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = c
}

func (s *Service) current() session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// Prepare builds a world. Goroutines need nothing that was not there when the process began; a
// runtime that has nodes may have to build something first. The lead's node is prepared last.
func (s *Service) Prepare(_ context.Context, request *pb.PrepareRequest) (*pb.PrepareResponse, error) {
	began := stopwatch.Now()
	c := session{
		world:     actors.NewWorld(trace.NewWatches(watches(request.Watches))),
		benchmark: benchmarks.Of(request.Benchmark),
		reports:   &benchmarks.Reports{Benchmark: benchmarks.NameOf(request.Benchmark)},
	}
	built, err := c.world.Join(request)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	if err := c.world.Populate(func() { c.lead = c.benchmark.Populate(c.world) }); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	s.enter(c)
	if chatApp, ok := c.benchmark.(benchmarks.Serial); ok && c.world.Leads() {
		c.world.Send(c.lead, chatApp.Settle())
		if _, err := c.await(); err != nil {
			return nil, err
		}
	}
	return &pb.PrepareResponse{SetupNanos: stopwatch.Now().Nanos(began) - built, RuntimeNanos: built}, nil
}

// Act has one client act.
func (s *Service) Act(_ context.Context, request *pb.ActRequest) (*pb.ActResponse, error) {
	c := s.current()
	c.world.Send(c.lead, c.benchmark.(benchmarks.Serial).Act(request))
	_, err := c.await()
	return &pb.ActResponse{}, err
}

// Turn has all clients act once.
func (s *Service) Turn(context.Context, *pb.TurnRequest) (*pb.TurnResponse, error) {
	c := s.current()
	c.world.Send(c.lead, c.benchmark.(benchmarks.Serial).Turn())
	_, err := c.await()
	return &pb.TurnResponse{}, err
}

// Run starts the benchmark, and ends with the last report.
func (s *Service) Run(request *pb.RunRequest, stream pb.Control_RunServer) error {
	marks := newMarks(stream)
	c := s.current()
	start := c.benchmark.Start(request.Salt)
	c.world.Logs().Limit(request.LogLimit)
	defer c.world.Logs().Limit(0)
	c.reports.Started = stopwatch.Now()
	c.world.Send(c.lead, start)
	for !c.benchmark.Over(c.reports) {
		due, err := c.await()
		if err != nil {
			return err
		}
		if due {
			if err := marks.add(); err != nil {
				return err
			}
		}
	}
	c.reports.RunNanos = c.benchmark.RunNanos(c.reports)
	return marks.last()
}

// Teardown ends the world, from the lead's node on.
func (s *Service) Teardown(context.Context, *pb.TeardownRequest) (*pb.TeardownResponse, error) {
	began := stopwatch.Now()
	c := s.current()
	if c.world.Leads() {
		if err := c.disconnect(); err != nil {
			return nil, err
		}
	}
	alive, err := c.world.AwaitEnd()
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	receipt := &pb.Receipt{
		RunNanos:      c.reports.RunNanos,
		TeardownNanos: stopwatch.Now().Nanos(began),
		Alive:         alive,
	}
	// Of an actor that failed when no report was awaited, the report is still there.
	for c.world.HasReport() {
		if _, err := c.await(); err != nil {
			return nil, err
		}
	}
	if c.world.Leads() {
		c.benchmark.Fill(receipt, c.reports)
	}
	return &pb.TeardownResponse{Receipt: receipt}, nil
}

// disconnect tells the lead that this is the end, if it has to know, and awaits what it answers.
func (c *session) disconnect() error {
	if disconnect := c.benchmark.Disconnect(); disconnect != nil {
		c.world.Send(c.lead, disconnect)
	}
	if _, ok := c.benchmark.(benchmarks.Serial); !ok {
		return nil
	}
	_, err := c.await()
	return err
}

// await waits for the next report, and keeps it. It tells whether a mark is due, and fails
// if an actor has failed (CTRL-10).
func (c *session) await() (due bool, err error) {
	report := c.world.NextReport()
	if failed, ok := report.(actors.Failed); ok {
		return false, status.Error(codes.Internal, fmt.Sprintf("%v: %s", failed.Actor, failed.Reason))
	}
	return c.reports.Add(report), nil
}

func watches(rows []*pb.Watch) []trace.Watch {
	watches := make([]trace.Watch, len(rows))
	for i, row := range rows {
		watches[i] = trace.Watch{
			Class:     uint8(row.Class),
			Modulus:   row.Modulus,
			Remainder: row.Remainder,
			First:     row.First,
			Last:      row.Last,
			From:      row.From,
			Events:    row.Events,
		}
	}
	return watches
}

// Register has a gRPC server answer by a new service.
func Register(server *grpc.Server) { pb.RegisterControlServer(server, new(Service)) }
