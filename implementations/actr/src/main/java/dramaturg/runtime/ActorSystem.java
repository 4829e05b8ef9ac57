package dramaturg.runtime;

import com.zakgof.actr.Actr;
import com.zakgof.actr.IActorRef;
import com.zakgof.actr.IActorScheduler;
import com.zakgof.actr.IActorSystem;
import com.zakgof.actr.Schedulers;
import java.util.concurrent.ForkJoinPool;

/** An actor system of actr's and the pool on which its actors run, made once. */
public final class ActorSystem {
  /** actr's default: so many messages an actor takes before it lets others have its thread. */
  private static final int THROUGHPUT = 10;

  /** Each actor may have one, which only its {@code toString} shows; without, actr draws a UUID. */
  private static final String NAME = "actor";

  private final ForkJoinPool pool;
  private final IActorScheduler scheduler;
  private final IActorSystem actors;

  /**
   * @param schedulers threads. The pool is otherwise as actr's default, which is the common pool
   *     and has a thread less than there are processors.
   */
  public ActorSystem(int schedulers) {
    boolean queues = false;
    pool = new Pool(schedulers, queues);
    scheduler = Schedulers.newExecutorBasedScheduler(pool, THROUGHPUT);
    actors = Actr.newSystem("dramaturg", scheduler);
  }

  public String name() {
    return "actr";
  }

  /** Of the commit that {@code actr-version.sh} asks for: the sources themselves do not say. */
  public String version() {
    return "0.4.3-SNAPSHOT on Java " + System.getProperty("java.version");
  }

  /** The number of threads on which actors run. */
  public int schedulers() {
    return pool.getParallelism();
  }

  IActorScheduler scheduler() {
    return scheduler;
  }

  <T> IActorRef<T> start(T object, IActorScheduler counting) {
    return actors.<T>actorBuilder().object(object).scheduler(counting).name(NAME).build();
  }
}
