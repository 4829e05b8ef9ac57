package dramaturg.runtime;

/** An actor as it knows itself. */
public interface ActorContext<M> {
  ActorRef<M> self();

  /** Ends the actor, once it is done with the message that it is acting on. */
  void stop();

  /** Has the timer send the actor a message, so many milliseconds later and no sooner. */
  void later(long millis, M message);
}
