package dramaturg.control;

import dramaturg.Actor;
import dramaturg.Message;
import dramaturg.Names;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorGroup;
import dramaturg.runtime.ActorRef;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/**
 * What the actors of one iteration have in common: where they are spawned, who of them is watched,
 * and where they tell control what it wants to know.
 */
public final class World {
  private final ActorGroup actors;
  private final Watches watches;
  private final LinkedBlockingQueue<Report> reports = new LinkedBlockingQueue<>();

  public World(ActorGroup actors, Watches watches) {
    this.actors = actors;
    this.watches = watches;
  }

  /**
   * Starts an actor: {@code world.spawn(name, context -> new Pong(name, this, context))}.
   *
   * @throws ActorFailure of that name, if {@code create} throws
   */
  public <M extends Message> ActorRef<M> spawn(
      long name, Function<ActorContext<M>, Actor<M>> create) {
    try {
      return actors.spawn(create);
    } catch (Throwable reason) {
      throw new ActorFailure(failed(name, reason));
    }
  }

  /** Those who have not ended, by the runtime's own count (IMPL-7). */
  long alive() {
    return actors.alive();
  }

  public Watches watches() {
    return watches;
  }

  public void tell(Report report) {
    reports.add(report);
  }

  /** An actor is about to end because of that; returns what control answers (CTRL-10). */
  public String failed(long name, Throwable reason) {
    var said = Names.spell(name) + " failed: " + reason;
    tell(new Report.Failed(said));
    return said;
  }

  /**
   * The next report, for which control waits.
   *
   * @throws ActorFailure if an actor has failed instead
   */
  Report next() throws InterruptedException {
    return unlessFailed(reports.take());
  }

  /**
   * Looks whether an actor has failed when control waited for no report.
   *
   * @throws ActorFailure if one has
   */
  void check() {
    for (var report = reports.poll(); report != null; report = reports.poll()) {
      unlessFailed(report);
    }
  }

  private static Report unlessFailed(Report report) {
    if (report instanceof Report.Failed failed) {
      throw new ActorFailure(failed.reason());
    }
    return report;
  }
}
