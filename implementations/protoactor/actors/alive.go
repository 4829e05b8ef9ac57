package actors

import "time"

const (
	// restless is how long actors may go on without any of them ending (CTRL-17).
	restless = time.Second
	// The first and the longest pause between two looks. Most worlds have ended at the first
	// look; a tear-down that takes longer is measured to a thousandth of a second.
	firstPause, longestPause = 20 * time.Microsecond, time.Millisecond
)

// AwaitEnd waits until no actor of the world is alive, or until their number has not changed for
// one second. It is that number: of actors that Proto.Actor has not yet told that they have stopped,
// which is the last that it tells them (IMPL-7).
func (w *World) AwaitEnd() (alive uint64, err error) {
	last, changed := uint64(0), time.Now()
	for pause := firstPause; ; {
		alive = w.alive.Load()
		if alive == 0 {
			return 0, nil
		}
		if alive != last {
			last, changed = alive, time.Now()
		} else if time.Since(changed) >= restless {
			return alive, nil
		}
		time.Sleep(pause)
		if pause *= 2; pause > longestPause {
			pause = longestPause
		}
	}
}

// ended is called upon an actor's last word from Proto.Actor.
func (w *World) ended() { w.alive.Add(^uint64(0)) }
