package control

import (
	"dramaturg/internal/control/names"
	"dramaturg/internal/control/pb"
	"dramaturg/internal/control/table"
	"dramaturg/internal/control/trace"
)

// A batch of this size stays below 4 MiB: a row takes 18 bytes, an argument no more than 10.
const (
	batchRows = 65536
	batchArgs = 1 << 18
)

// Trace sends what was logged since the last call, then all counts, then the footer (TRACE-3).
func (s *Service) Trace(_ *pb.TraceRequest, stream pb.Control_TraceServer) error {
	t := traceStream{stream: stream}
	logs := s.current().world.Logs()
	// Counts come when the run has ended (CTRL-18).
	limited := logs.Limited()
	if err := logs.Drain(t.add); err != nil {
		return err
	}
	if err := t.flush(); err != nil {
		return err
	}
	if limited {
		t.actors = nil
	}
	if err := t.end(); err != nil {
		return err
	}
	logs.Delivered(t.events)
	return nil
}

// traceStream puts the rows of many logs into batches, and keeps the counts until the end.
type traceStream struct {
	stream pb.Control_TraceServer
	batch  pb.TraceBatch
	events uint64
	actors []uint64
	taken  []uint64
}

// add adds the rows of one actor.
func (t *traceStream) add(actor names.Name, rows trace.Rows, taken uint64) error {
	t.actors = append(t.actors, uint64(actor))
	t.taken = append(t.taken, taken)
	args := rows.Args
	for i, kind := range rows.Kinds {
		arity := table.Kinds[kind].Arity
		t.batch.Actor = append(t.batch.Actor, uint64(actor))
		t.batch.Sender = append(t.batch.Sender, rows.Senders[i])
		t.batch.Kind = append(t.batch.Kind, kind)
		t.batch.Args = append(t.batch.Args, args[:arity]...)
		args = args[arity:]
		if len(t.batch.Kind) == batchRows || len(t.batch.Args) >= batchArgs {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *traceStream) flush() error {
	if len(t.batch.Kind) == 0 {
		return nil
	}
	t.events += uint64(len(t.batch.Kind))
	err := t.stream.Send(&pb.TraceResponse{Item: &pb.TraceResponse_Batch{Batch: &t.batch}})
	t.batch.Actor, t.batch.Sender = t.batch.Actor[:0], t.batch.Sender[:0]
	t.batch.Kind, t.batch.Args = t.batch.Kind[:0], t.batch.Args[:0]
	return err
}

func (t *traceStream) end() error {
	watched := uint64(len(t.actors))
	for len(t.actors) > 0 {
		n := len(t.actors)
		if n > batchRows {
			n = batchRows
		}
		counts := &pb.TraceCounts{Actor: t.actors[:n], Taken: t.taken[:n]}
		if err := t.stream.Send(&pb.TraceResponse{Item: &pb.TraceResponse_Counts{Counts: counts}}); err != nil {
			return err
		}
		t.actors, t.taken = t.actors[n:], t.taken[n:]
	}
	footer := &pb.TraceFooter{Events: t.events, Watched: watched}
	return t.stream.Send(&pb.TraceResponse{Item: &pb.TraceResponse_Footer{Footer: footer}})
}
