package dramaturg.benchmarks;

import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_BROWSER_VALUE;
import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_DISPATCHER_VALUE;
import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_WORKER_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_BROWSER_ANSWER_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_BROWSER_GO_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_DISPATCHER_DISCONNECT_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_DISPATCHER_FINISHED_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_DISPATCHER_IDLE_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_DISPATCHER_REQUEST_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_DISPATCHER_START_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_WORKER_STOP_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_WORKER_WORK_VALUE;
import static java.lang.Integer.toUnsignedLong;

import dramaturg.Actor;
import dramaturg.Digest;
import dramaturg.Fibonacci;
import dramaturg.Names;
import dramaturg.control.Call;
import dramaturg.control.Lead;
import dramaturg.control.Stopwatch;
import dramaturg.control.World;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorRef;
import dramaturg.v2.Benchmarks.WebParameters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Web: browsers ask a dispatcher, which gives work to idle workers only (spec/web.md). */
final class Web extends MicroBenchmark {
  private final WebParameters parameters;

  Web(WebParameters parameters) {
    super("web");
    this.parameters = parameters;
  }

  @Override
  public Lead populate(World world) {
    var dispatcher = new Actors(parameters, world).dispatcher;
    return call -> {
      if (call instanceof Call.Run run) {
        dispatcher.tell(new Dispatcher.Start(Names.CONTROL, run.salt()));
        return 1;
      }
      if (call instanceof Call.Disconnect) {
        dispatcher.tell(new Dispatcher.Disconnect(Names.CONTROL));
      }
      return 0;
    };
  }

  /** Who is there, for all of them: filled in before the first message. */
  private static final class Actors {
    final WebParameters parameters;
    final ActorRef<Dispatcher.Message> dispatcher;
    final List<ActorRef<Worker.Message>> workers = new ArrayList<>();
    final List<ActorRef<Browser.Message>> browsers = new ArrayList<>();

    Actors(WebParameters parameters, World world) {
      this.parameters = parameters;
      dispatcher = world.spawn(Dispatcher.NAME, context -> new Dispatcher(this, world, context));
      for (int i = 0; i < parameters.getWorkers(); i++) {
        long name = Names.of(ACTOR_CLASS_WORKER_VALUE, i);
        workers.add(world.spawn(name, context -> new Worker(name, this, world, context)));
      }
      for (int i = 0; i < parameters.getBrowsers(); i++) {
        long name = Names.of(ACTOR_CLASS_BROWSER_VALUE, i);
        browsers.add(world.spawn(name, context -> new Browser(name, this, world, context)));
      }
    }
  }

  /** Keeps the order of waiting requests and of idle workers. */
  private static final class Dispatcher extends Actor<Dispatcher.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Start(long sender, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_DISPATCHER_START_VALUE, toUnsignedLong(salt));
      }
    }

    record Request(long sender, long number, int value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_DISPATCHER_REQUEST_VALUE, number, toUnsignedLong(value));
      }
    }

    record Idle(long sender) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_DISPATCHER_IDLE_VALUE);
      }
    }

    record Finished(long sender, long answers, int sum) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_DISPATCHER_FINISHED_VALUE, answers, toUnsignedLong(sum));
      }
    }

    record Disconnect(long sender) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_DISPATCHER_DISCONNECT_VALUE);
      }
    }

    static final long NAME = Names.of(ACTOR_CLASS_DISPATCHER_VALUE);

    private final Actors actors;
    private final int workers;
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private final ArrayDeque<Integer> idle = new ArrayDeque<>();
    private final BitSet used = new BitSet();
    private int browsing;
    private long answers;
    private int sum;

    Dispatcher(Actors actors, World world, ActorContext<Message> context) {
      super(NAME, world, context);
      this.actors = actors;
      workers = actors.parameters.getWorkers();
      browsing = actors.parameters.getBrowsers();
      for (int worker = 0; worker < workers; worker++) {
        idle.add(worker);
      }
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Request m) {
        request(m);
      } else if (message instanceof Idle m) {
        idle(m);
      } else if (message instanceof Start m) {
        start(m);
      } else if (message instanceof Finished m) {
        finished(m);
      } else if (message instanceof Disconnect) {
        disconnect();
      }
    }

    private void start(Start m) {
      var go = new Browser.Go(name, m.salt);
      for (var browser : actors.browsers) {
        browser.tell(go);
      }
    }

    private void request(Request m) {
      waiting.add(m);
      assign();
    }

    private void idle(Idle m) {
      idle.add(Names.indexOf(m.sender));
      assign();
      reportWhenDone();
    }

    private void finished(Finished m) {
      answers += m.answers;
      sum += m.sum;
      browsing--;
      reportWhenDone();
    }

    private void disconnect() {
      var stop = new Worker.Stop(name);
      for (int worker : idle) {
        actors.workers.get(worker).tell(stop);
      }
      stop();
    }

    private void assign() {
      if (!waiting.isEmpty() && !idle.isEmpty()) {
        var request = waiting.remove();
        int worker = idle.remove();
        used.set(worker);
        int browser = Names.indexOf(request.sender);
        actors
            .workers
            .get(worker)
            .tell(new Worker.Work(name, browser, request.number, request.value));
      }
    }

    private void reportWhenDone() {
      if (browsing == 0 && idle.size() == workers) {
        done(Stopwatch.stop(), answers, toUnsignedLong(sum), used.cardinality());
      }
    }
  }

  /** Computes, answers the browser, and is idle again. */
  private static final class Worker extends Actor<Worker.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Work(long sender, int browser, long number, int value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_WORKER_WORK_VALUE, browser, number, toUnsignedLong(value));
      }
    }

    record Stop(long sender) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_WORKER_STOP_VALUE);
      }
    }

    private final Actors actors;

    Worker(long name, Actors actors, World world, ActorContext<Message> context) {
      super(name, world, context);
      this.actors = actors;
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Work m) {
        work(m);
      } else if (message instanceof Stop) {
        stop();
      }
    }

    private void work(Work m) {
      int value = Digest.fold(m.value, Fibonacci.of(actors.parameters.getFibN()));
      actors.browsers.get(m.browser).tell(new Browser.Answer(name, m.number, value));
      actors.dispatcher.tell(new Dispatcher.Idle(name));
    }
  }

  /** Asks, waits for the answer, asks again. */
  private static final class Browser extends Actor<Browser.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Go(long sender, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_BROWSER_GO_VALUE, toUnsignedLong(salt));
      }
    }

    record Answer(long sender, long number, int value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_BROWSER_ANSWER_VALUE, number, toUnsignedLong(value));
      }
    }

    private final Actors actors;
    private final long requests;
    private int own;
    private long answers;
    private int sum;

    Browser(long name, Actors actors, World world, ActorContext<Message> context) {
      super(name, world, context);
      this.actors = actors;
      requests = toUnsignedLong(actors.parameters.getRequests());
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Answer m) {
        answer(m);
      } else if (message instanceof Go m) {
        go(m);
      }
    }

    private void go(Go m) {
      own = Digest.fold(m.salt, Names.indexOf(name));
      request();
    }

    private void answer(Answer m) {
      answers++;
      sum += m.value;
      if (answers < requests) {
        request();
      } else {
        actors.dispatcher.tell(new Dispatcher.Finished(name, answers, sum));
        stop();
      }
    }

    private void request() {
      actors.dispatcher.tell(new Dispatcher.Request(name, answers, Digest.fold(own, answers)));
    }
  }
}
