package dramaturg;

import dramaturg.control.Log;
import dramaturg.control.Report;
import dramaturg.control.World;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorRef;
import dramaturg.runtime.Behavior;

/** An actor of the specification: has a name, may be watched, and never fails in silence. */
public abstract class Actor<M extends Message> implements Behavior<M> {
  protected final long name;
  protected final World world;

  private final ActorContext<M> context;

  /** Decided once; null if nobody watches. */
  private final Log log;

  protected Actor(long name, World world, ActorContext<M> context) {
    this.name = name;
    this.world = world;
    this.context = context;
    log = world.watches().logOf(name);
  }

  /** Acts on a message. */
  protected abstract void take(M message);

  /** The one way in which an actor takes a message (IMPL-11). */
  @Override
  public final void receive(M message) {
    try {
      if (log != null) {
        log.take(message);
      }
      take(message);
    } catch (Throwable reason) {
      world.failed(name, reason);
      throw reason;
    }
  }

  protected final ActorRef<M> self() {
    return context.self();
  }

  /** Takes no further message once this one is done with. */
  protected final void stop() {
    context.stop();
  }

  /**
   * Has the runtime's timer send this actor a message, so many milliseconds later and no sooner.
   */
  protected final void later(long millis, M message) {
    context.later(millis, message);
  }

  /**
   * The lead's last word, with the arguments that the protocol names.
   *
   * @param taken the {@link dramaturg.control.Stopwatch} when the lead had acted on its last
   *     message
   */
  protected final void done(long taken, long... arguments) {
    world.tell(new Report.Done(arguments, taken));
  }
}
