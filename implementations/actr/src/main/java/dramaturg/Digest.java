package dramaturg;

/**
 * Salts, digests, checksums and sums of digests (ACT-8 to ACT-10): the 32 bits of an {@code int},
 * which wraps as they do. Log and report them as {@link Integer#toUnsignedLong}.
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
