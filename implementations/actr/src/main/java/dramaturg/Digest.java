package dramaturg;

/**
 * Salts, digests, checksums, sums of digests, streams (ACT-8 to ACT-11): the 32 bits of an {@code
 * int}, which wraps as they do. Log and report them as {@link Integer#toUnsignedLong}.
 */
public final class Digest {
  private Digest() {}

  /** The digest with a number in it, of which the low 32 bits decide. */
  public static int fold(int digest, long number) {
    int folded = 1664525 * digest + 1013904223 + (int) number;
    return folded ^ (folded >>> 16);
  }

  /** The digest of what a post of ChatApp carries: its two halves, folded. */
  public static int ofPayload(long payload) {
    return fold((int) (payload >>> 32), payload);
  }

  /** The first {@code count} numbers of the stream from {@code key}: each needs those before it. */
  public static int[] stream(int key, int count) {
    var numbers = new int[count];
    int number = key;
    for (int place = 0; place < count; place++) {
      number = fold(number, place);
      numbers[place] = number;
    }
    return numbers;
  }

  /** What {@code start} becomes with these numbers, in their order. */
  public static int checksum(int start, int[] numbers) {
    int sum = start;
    for (int number : numbers) {
      sum = 31 * sum + number;
    }
    return sum;
  }

  /** The same of bytes, which have no sign. */
  public static int checksum(int start, byte[] bytes) {
    int sum = start;
    for (byte number : bytes) {
      sum = 31 * sum + Byte.toUnsignedInt(number);
    }
    return sum;
  }
}
