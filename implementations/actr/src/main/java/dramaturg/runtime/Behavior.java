package dramaturg.runtime;

/** What an actor does upon a message. It is asked for one at a time. */
@FunctionalInterface
public interface Behavior<M> {
  void receive(M message);
}
