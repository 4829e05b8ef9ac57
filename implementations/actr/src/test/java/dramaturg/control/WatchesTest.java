package dramaturg.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dramaturg.Message;
import dramaturg.Names;
import dramaturg.v2.ControlOuterClass.TraceResponse;
import dramaturg.v2.ControlOuterClass.Watch;
import dramaturg.v2.Trace.ActorClass;
import dramaturg.v2.Trace.MessageKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WatchesTest {
  private static final Watch EVERYBODY =
      Watch.newBuilder().setModulus(1).setLast(-1).setEvents(-1).build();
  private static final Watch ODD_PEERS =
      EVERYBODY.toBuilder()
          .setClass_(ActorClass.ACTOR_CLASS_PEER_VALUE)
          .setModulus(2)
          .setRemainder(1)
          .build();

  private record Numbered(long sender, int number) implements Message {
    @Override
    public Entry entry() {
      return new Entry(MessageKind.MESSAGE_KIND_PEER_MARK_VALUE, number);
    }
  }

  private static long peer(int index) {
    return Names.of(ActorClass.ACTOR_CLASS_PEER_VALUE, index);
  }

  private static void take(Watches watches, int messages) {
    var log = watches.logOf(peer(1));
    IntStream.range(0, messages).forEach(n -> log.take(new Numbered(Names.CONTROL, n)));
  }

  private static List<TraceResponse> traced(Watches watches) {
    var trace = new ArrayList<TraceResponse>();
    watches.trace(trace::add);
    return trace;
  }

  private static List<Long> logged(List<TraceResponse> trace) {
    return trace.stream().flatMap(item -> item.getBatch().getArgsList().stream()).toList();
  }

  private static List<Long> taken(List<TraceResponse> trace) {
    return trace.stream().flatMap(item -> item.getCounts().getTakenList().stream()).toList();
  }

  @Test
  void withoutWatchesNobodyHasALog() {
    assertNull(new Watches(List.of()).logOf(peer(1)));
  }

  @Test
  void aRowOfClassZeroIsForEverybody() {
    var watches = new Watches(List.of(EVERYBODY));
    assertNotNull(watches.logOf(peer(0)));
    assertNotNull(watches.logOf(Names.of(ActorClass.ACTOR_CLASS_CHAT_VALUE, -1, 2)));
  }

  @Test
  void classRemainderAndRangeDecideWhoIsWatched() {
    var watches = new Watches(List.of(ODD_PEERS.toBuilder().setFirst(3).setLast(5).build()));
    var watched = IntStream.range(0, 8).filter(i -> watches.logOf(peer(i)) != null).boxed();
    assertEquals(List.of(3, 5), watched.toList());
    assertNull(watches.logOf(Names.of(ActorClass.ACTOR_CLASS_SENDER_VALUE, 3)));
  }

  @Test
  void theFirstRowThatFitsIsAnActorsWatch() {
    var watches = new Watches(List.of(ODD_PEERS.toBuilder().setEvents(1).build(), ODD_PEERS));
    take(watches, 10);
    assertEquals(List.of(0L), logged(traced(watches)));
  }

  @Test
  void aLogIsASliceAndCountsAllTheSame() {
    var watches = new Watches(List.of(ODD_PEERS.toBuilder().setFrom(3).setEvents(4).build()));
    take(watches, 10);
    var trace = traced(watches);
    assertEquals(List.of(3L, 4L, 5L, 6L), logged(trace));
    assertEquals(List.of(10L), taken(trace));
  }

  @Test
  void aTraceHasWhatIsNewWhomItCountsAndAFooterThatSaysHowMuch() {
    var watches = new Watches(List.of(ODD_PEERS));
    take(watches, 10);
    assertEquals(10, last(traced(watches)).getFooter().getEvents());
    watches.logOf(peer(3));
    var trace = traced(watches);
    assertEquals(List.of(), logged(trace));
    assertEquals(List.of(10L, 0L), taken(trace));
    assertEquals(0, last(trace).getFooter().getEvents());
    assertEquals(2, last(trace).getFooter().getWatched());
  }

  @Test
  void aLongLogComesInSeveralBatches() {
    var watches = new Watches(List.of(ODD_PEERS));
    take(watches, 70_000);
    var trace = traced(watches);
    assertEquals(3, trace.stream().filter(TraceResponse::hasBatch).count());
    assertEquals(70_000, last(trace).getFooter().getEvents());
  }

  private static TraceResponse last(List<TraceResponse> trace) {
    return trace.get(trace.size() - 1);
  }
}
