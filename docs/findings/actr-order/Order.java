import com.zakgof.actr.Actr;
import com.zakgof.actr.IActorRef;
import com.zakgof.actr.IActorSystem;
import java.util.concurrent.CountDownLatch;

/**
 * One actor tells another the numbers from 0 on. Each {@code tell} gives the pool a task, and only
 * that task puts the message into the mailbox. A thread takes its newest task first.
 */
final class Order {
  private static final class Receiver {
    private final CountDownLatch all;
    private int highest = -1;
    private int late;

    Receiver(CountDownLatch all) {
      this.all = all;
    }

    void take(int number) {
      if (number < highest) {
        late++;
      }
      highest = Math.max(highest, number);
      all.countDown();
    }
  }

  private static final class Sender {
    void send(IActorRef<Receiver> to, int numbers) {
      for (int i = 0; i < numbers; i++) {
        int number = i;
        to.tell(receiver -> receiver.take(number));
      }
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    int numbers = Integer.parseInt(arguments[0]);
    var all = new CountDownLatch(numbers);
    var receiver = new Receiver(all);
    IActorSystem system = Actr.newSystem("findings");
    IActorRef<Receiver> to = system.<Receiver>actorBuilder().constructor(() -> receiver).build();
    IActorRef<Sender> from = system.<Sender>actorBuilder().constructor(Sender::new).build();
    from.tell(sender -> sender.send(to, numbers));
    all.await();
    System.out.println(
        numbers + " numbers were sent in order and all arrived; "
            + receiver.late + " arrived after a greater one");
    System.exit(receiver.late > 0 ? 1 : 0);
  }
}
