package dramaturg.runtime;

/** An actor as others know it. */
@FunctionalInterface
public interface ActorRef<M> {

  /**
   * Sends a message. actr promises no order: of two messages that are under way from one actor to
   * another either may arrive first. To an actor that has ended they are nothing.
   */
  void tell(M message);
}
