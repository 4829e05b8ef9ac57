package dramaturg

import dramaturg.v1.Benchmarks.Receipt

/** One iteration of a benchmark, as the thread of a call drives it.
  *
  * Whatever waits for actors throws what [[Inbox]] throws. Durations are in nanoseconds.
  */
trait World {

  /** What `run` counts up to, in the benchmark's own units. */
  def total: Long

  /** Builds the world and waits until it is quiet; returns how long that took. */
  def setUp(): Long

  /** Plays the iteration to its end. `onProgress` hears from time to time how much is done. */
  def run(onProgress: Long => Unit): Receipt

  /** Ends an iteration that was not run, by the benchmark's own protocol. */
  def disconnect(): Receipt

  /** Removes what the protocol leaves alive. */
  def remove(): Unit
}
