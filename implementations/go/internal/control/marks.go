package control

import (
	"time"

	"dramaturg/internal/control/pb"
)

// between is how much time passes at least between two marks, and before the first (CTRL-6).
const between = 100 * time.Millisecond

// marks counts turns or windows, and says now and then how many there are.
type marks struct {
	stream pb.Control_RunServer
	done   uint32
	latest time.Time
}

// newMarks is called when Run is taken.
func newMarks(stream pb.Control_RunServer) *marks {
	return &marks{stream: stream, latest: time.Now()}
}

// add counts one more.
func (m *marks) add() error {
	m.done++
	if now := time.Now(); now.Sub(m.latest) >= between {
		m.latest = now
		return m.send()
	}
	return nil
}

// last says how many there were in all, if there were any.
func (m *marks) last() error {
	if m.done == 0 {
		return nil
	}
	return m.send()
}

func (m *marks) send() error {
	return m.stream.Send(&pb.RunResponse{Mark: &pb.Mark{Done: m.done}})
}
