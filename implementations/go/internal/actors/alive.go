package actors

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
)

// label is the profiler label that goroutines of actors bear. Its value is their world's number.
const label = "world"

const (
	// few goroutines are looked at one by one. Of more only the number is asked for: gRPC
	// has about ten, and to look at a million stops the world for a second.
	few = 1024
	// restless is how long actors may go on without any of them ending (CTRL-17).
	restless = time.Second
	// The first and the longest pause between two looks. Most worlds have ended at the first
	// look; a tear-down that takes longer is measured to a thousandth of a second.
	firstPause, longestPause = 20 * time.Microsecond, time.Millisecond
)

// AwaitEnd waits until no actor of the world is alive, or until their number has not changed for
// one second. It is that number: of goroutines of this world that have not ended, by the goroutine
// profile of Go's runtime (IMPL-7).
func (w *World) AwaitEnd() (alive uint64, err error) {
	last, changed := -1, time.Now()
	for pause := firstPause; ; pause = shorter(2*pause, longestPause) {
		number := runtime.NumGoroutine()
		if number <= few {
			if number, err = w.goroutines(); number == 0 || err != nil {
				return 0, err
			}
		}
		if number != last {
			last, changed = number, time.Now()
		} else if time.Since(changed) >= restless {
			number, err = w.goroutines()
			return uint64(number), err
		}
		time.Sleep(pause)
	}
}

func shorter(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}

// goroutines is how many goroutines bear the label of this world.
func (w *World) goroutines() (int, error) {
	var encoded bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&encoded, 0); err != nil {
		return 0, fmt.Errorf("cannot write the goroutine profile: %w", err)
	}
	goroutines, err := profile.Parse(&encoded)
	if err != nil {
		return 0, fmt.Errorf("cannot read the goroutine profile: %w", err)
	}
	number := 0
	for _, sample := range goroutines.Sample {
		for _, world := range sample.Label[label] {
			if world == w.number {
				number += int(sample.Value[0])
			}
		}
	}
	return number, nil
}
