package dramaturg.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ActorGroupTest {
  private final ActorGroup actors = new ActorGroup(new ActorSystem(4));
  private final LinkedBlockingQueue<Integer> heard = new LinkedBlockingQueue<>();

  @Test
  void whatOneSenderSentIsTakenInThatOrder() throws InterruptedException {
    ActorRef<Integer> actor = actors.spawn(context -> heard::add);
    for (int i = 0; i < 100_000; i++) {
      actor.tell(i);
    }
    for (int i = 0; i < 100_000; i++) {
      assertEquals(i, heard.take());
    }
  }

  @Test
  void oneMessageIsTakenAtATimeWhoeverSendsIt() throws InterruptedException {
    int senders = 8;
    int each = 20_000;
    var allTaken = new CountDownLatch(senders * each);
    int[] unguarded = {0};
    ActorRef<Integer> counter =
        actors.spawn(
            context ->
                number -> {
                  unguarded[0] += number;
                  allTaken.countDown();
                });
    for (int i = 0; i < senders; i++) {
      ActorRef<Integer> sender =
          actors.spawn(context -> times -> IntStream.range(0, times).forEach(t -> counter.tell(1)));
      sender.tell(each);
    }
    allTaken.await();
    assertEquals(senders * each, unguarded[0]);
  }

  @Test
  void whatIsSentWhileAnActorIsBeingMadeWaitsForIt() throws InterruptedException {
    actors.<Integer>spawn(
        context -> {
          context.self().tell(7);
          return heard::add;
        });
    assertEquals(7, heard.take());
  }

  @Test
  void whoHasStoppedTakesNothingMoreAndIsNotAlive() throws InterruptedException {
    ActorRef<Integer> actor =
        actors.spawn(
            context ->
                number -> {
                  heard.add(number);
                  context.stop();
                });
    assertEquals(1, actors.alive());
    actor.tell(1);
    actor.tell(2);
    assertEquals(1, heard.take());
    untilNobodyIsAlive();
    actor.tell(3);
    assertNull(heard.poll());
  }

  @Test
  void whoFailsHasEnded() throws InterruptedException {
    ActorRef<Integer> actor =
        actors.spawn(
            context ->
                number -> {
                  throw new IllegalStateException("on purpose, by a test");
                });
    actor.tell(1);
    untilNobodyIsAlive();
  }

  @Test
  void aChainThatEndsBehindItselfIsNeverSeenEmpty() throws InterruptedException {
    int length = 50_000;
    var born = new AtomicInteger();
    link(length, born).tell(length);
    while (born.get() < length) {
      assertTrue(actors.alive() > 0 || born.get() == length);
    }
    untilNobodyIsAlive();
  }

  private ActorRef<Integer> link(int length, AtomicInteger born) {
    return actors.spawn(
        context ->
            left -> {
              if (born.incrementAndGet() < length) {
                link(length, born).tell(left - 1);
              }
              context.stop();
            });
  }

  @Test
  void theTimerIsNotEarly() throws InterruptedException {
    long asked = System.nanoTime();
    actors.<Integer>spawn(
        context -> {
          context.later(50, 1);
          return heard::add;
        });
    heard.take();
    assertTrue(System.nanoTime() - asked >= 50_000_000);
  }

  @Test
  void aTimerIsHeardWhileTheOnlyThreadAlwaysHasSomethingToDo() throws InterruptedException {
    var busy = new AtomicBoolean(true);
    ActorRef<Integer> actor =
        new ActorGroup(new ActorSystem(1))
            .spawn(
                context ->
                    number -> {
                      if (number == 1) {
                        context.later(50, 2);
                      }
                      if (number == 2) {
                        heard.add(number);
                      } else if (busy.get()) {
                        context.self().tell(0);
                      }
                    });
    actor.tell(1);
    assertEquals(2, heard.poll(10, TimeUnit.SECONDS));
    busy.set(false);
  }

  private void untilNobodyIsAlive() throws InterruptedException {
    while (actors.alive() > 0) {
      Thread.sleep(1);
    }
  }
}
