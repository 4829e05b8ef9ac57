package dramaturg.control

/** The room that the log limit leaves for events that are not delivered yet (CTRL-18). Without one, at
  * first, there is room for all.
  */
final class Room {
  @volatile private var limit = 0L
  private var held = 0L

  def isLimited: Boolean = limit != 0

  /** Lets so many events be held, of which some are held already; 0 is no limit. */
  def limit(events: Long, held: Long): Unit = synchronized {
    limit = events
    this.held = held
    notifyAll()
  }

  /** Takes the room of one event; waits for it, and keeps the thread, while the log is full. */
  def take(): Unit = if (isLimited) await()

  /** Gives the room of these events back. */
  def delivered(events: Long): Unit = synchronized {
    held -= events
    notifyAll()
  }

  // By the object's own monitor: the pool starts no other thread for one that waits there.
  private def await(): Unit = synchronized {
    while (isLimited && held >= limit) wait()
    held += 1
  }
}
