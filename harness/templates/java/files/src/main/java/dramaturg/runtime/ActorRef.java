package dramaturg.runtime;

/** An actor as others know it. */
@FunctionalInterface
public interface ActorRef<M> {

  /**
   * Puts a message behind those that are in the mailbox. Messages from one actor arrive in the
   * order in which they were sent. To an actor that has ended they are nothing.
   */
  void tell(M message);
}
