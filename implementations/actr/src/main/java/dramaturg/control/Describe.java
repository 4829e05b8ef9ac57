package dramaturg.control;

import dramaturg.Digest;
import dramaturg.Fibonacci;
import dramaturg.Lcg;
import dramaturg.runtime.ActorSystem;
import dramaturg.v2.ControlOuterClass.DescribeRequest;
import dramaturg.v2.ControlOuterClass.DescribeResponse;
import dramaturg.v2.ControlOuterClass.Probe;
import dramaturg.v2.ControlOuterClass.ProbeAnswer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Which runtime this is, and the answers to questions of arithmetic (CTRL-14). */
final class Describe {
  private Describe() {}

  static DescribeResponse answer(DescribeRequest request, ActorSystem system) {
    var jvm = ManagementFactory.getRuntimeMXBean();
    return DescribeResponse.newBuilder()
        .setRuntime(system.name())
        .setRuntimeVersion(system.version())
        .setSchedulers(system.schedulers())
        .putDetails("jvm", jvm.getVmName() + " " + jvm.getVmVersion())
        .putDetails("jvm.arguments", String.join(" ", jvm.getInputArguments()))
        .addAllAnswers(request.getProbesList().stream().map(Describe::answer).toList())
        .build();
  }

  static ProbeAnswer answer(Probe probe) {
    var values =
        switch (probe.getProbeCase()) {
          case LCG -> lcg(probe.getLcg());
          case SHUFFLE -> shuffle(probe.getShuffle());
          case FIBONACCI -> List.of(Fibonacci.of(probe.getFibonacci().getN()));
          case FOLD -> List.of(fold(probe.getFold()));
          // Of those who have broker and openweb (spec/broker.md, spec/openweb.md).
          case PAYLOADS, LATENCIES, PROBE_NOT_SET ->
              throw new IllegalArgumentException("a probe that is not known");
        };
    return ProbeAnswer.newBuilder().addAllValues(values).build();
  }

  private static List<Long> lcg(Probe.Lcg probe) {
    var lcg = new Lcg(probe.getSeed());
    return probe.getModuliList().stream().map(modulus -> (long) lcg.nextInt(modulus)).toList();
  }

  private static List<Long> shuffle(Probe.Shuffle probe) {
    var lcg = new Lcg(probe.getSeed());
    var items = new ArrayList<Long>();
    IntStream.range(0, probe.getLength()).forEach(item -> items.add((long) item));
    lcg.shuffle(items);
    items.add((long) lcg.state());
    return items;
  }

  private static long fold(Probe.Fold probe) {
    int digest = probe.getSalt();
    for (int number : probe.getNumbersList()) {
      digest = Digest.fold(digest, number);
    }
    return Integer.toUnsignedLong(digest);
  }
}
