package dramaturg.control

/** All that is timed inside a run (MEAS-1 ff.), by the clock of node 0, in nanoseconds. */
object Stopwatch {

  /** Just before control hands its first message to the lead; in ChatApp before the poker makes a
    * turn's accumulator, and that of the first turn is the run's.
    */
  def start(): Long = System.nanoTime()

  /** On taking a message that ends something: a `confirm`, a `tick`, the lead's last one. */
  def stop(): Long = System.nanoTime()

  /** How long each took that ended then, of things that follow each other. */
  def laps(started: Long, ended: Seq[Long]): Seq[Long] =
    ended.lazyZip(started +: ended).map(_ - _)

  /** In the middle of a run: when the source takes an arrival or an answer (OPEN-5), and when the
    * alarm begins a nap or takes its end (SLEEP-5).
    */
  def read(): Long = System.nanoTime()
}
