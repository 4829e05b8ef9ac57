// Package stopwatch takes the stamps of spec/measurements.md from Go's monotonic clock.
package stopwatch

import "time"

// Stamp is a reading of the clock, in nanoseconds since the process began (MEAS-1).
type Stamp int64

var began = time.Now()

// Now reads the clock. It never goes back.
func Now() Stamp { return Stamp(time.Since(began)) }

// Nanos is the time from an earlier stamp to this one, as receipts have it.
func (s Stamp) Nanos(since Stamp) uint64 { return uint64(s - since) }
