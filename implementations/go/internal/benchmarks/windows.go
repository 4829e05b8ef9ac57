package benchmarks

import (
	"time"

	"dramaturg/internal/actors"
	"dramaturg/internal/control/stopwatch"
)

// windows belong to the lead actor of a windowed form (spec/windows.md). With number 0 it is
// the counted form.
type windows struct {
	number uint32
	length time.Duration
	// tick makes the message that ends a window.
	tick func(number uint32) actors.Message
	// ended is how many windows have ended.
	ended uint32
}

func windowsOf(number, milliseconds uint32, tick func(uint32) actors.Message) windows {
	return windows{number: number, length: time.Duration(milliseconds) * time.Millisecond, tick: tick}
}

// open has the timer send the next tick, unless all windows have ended (WIN-1).
func (w *windows) open(self *actors.Self) {
	if w.ended < w.number {
		self.SendAfter(w.length, w.tick(w.ended))
	}
}

// close ends a window upon its tick, and opens the next one. It returns the stamp of the tick.
func (w *windows) close(self *actors.Self) stopwatch.Stamp {
	at := stopwatch.Now()
	w.ended++
	w.open(self)
	return at
}

// none is true in the counted form.
func (w *windows) none() bool { return w.number == 0 }

// over is true once the last window has ended.
func (w *windows) over() bool { return w.ended == w.number }
