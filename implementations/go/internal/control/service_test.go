package control

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"dramaturg/internal/actors"
	"dramaturg/internal/benchmarks"
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
	"dramaturg/internal/control/trace"
)

// brittle is a benchmark whose only actor fails upon the first message that it takes.
type brittle struct{ benchmarks.Benchmark }

func (brittle) Disconnect() actors.Message { return dismissal{} }

func (brittle) Take(*actors.Self, *actors.Ref, actors.Message) { panic("fell apart") }

type dismissal struct{}

func (dismissal) Kind() uint32              { return table.KindWorkerStop }
func (dismissal) Args(to []uint64) []uint64 { return to }

func TestAnActorThatFailsInTeardownIsNamed(t *testing.T) {
	c := session{
		world:     actors.NewWorld(trace.NewWatches(nil)),
		benchmark: brittle{},
		reports:   new(benchmarks.Reports),
	}
	c.world.Populate(func() { c.lead = c.world.Spawn(names.Of(table.ClassWorker, 7, 0), brittle{}) })
	_, err := (&Service{session: c}).Teardown(context.Background(), &pb.TeardownRequest{})
	want := status.Error(codes.Internal, "worker/7: fell apart")
	if err == nil || err.Error() != want.Error() {
		t.Errorf("answered %v instead of %v", err, want)
	}
}
