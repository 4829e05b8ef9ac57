import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A dispatcher gives requests to workers, which answer with a Fibonacci number. A worker that
 * remembers what it has computed gives the same answers to the same messages. One worker for all
 * requests has the most to remember.
 */
final class Remembered {
  private static final int REQUESTS = 2000;

  private static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  private static long milliseconds(int workers, boolean remembers) throws Exception {
    var threads = new ArrayList<ExecutorService>();
    var memories = new ArrayList<Map<Integer, Integer>>();
    for (int i = 0; i < workers; i++) {
      threads.add(Executors.newSingleThreadExecutor());
      memories.add(new HashMap<>());
    }
    long begin = System.nanoTime();
    List<Future<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      var memory = memories.get(i % workers);
      answers.add(
          threads
              .get(i % workers)
              .submit(
                  () ->
                      remembers
                          ? memory.computeIfAbsent(25, Remembered::fibonacci)
                          : fibonacci(25)));
    }
    for (var answer : answers) {
      if (answer.get() != 75025) {
        throw new IllegalStateException("a wrong answer: " + answer.get());
      }
    }
    long took = (System.nanoTime() - begin) / 1_000_000;
    threads.forEach(ExecutorService::shutdown);
    return took;
  }

  public static void main(String[] arguments) throws Exception {
    milliseconds(1, false); // Warm-up.
    long most = 0;
    long least = Long.MAX_VALUE;
    for (int workers : new int[] {1, 16}) {
      long computes = milliseconds(workers, false);
      long remembers = milliseconds(workers, true);
      System.out.printf(
          "%d requests, %d worker(s): %d ms computed, %d ms remembered; every answer is right%n",
          REQUESTS, workers, computes, remembers);
      least = Math.min(least, computes);
      most = Math.max(most, remembers);
    }
    System.exit(least > 3 * most ? 1 : 0);
  }
}
