package dramaturg.control;

/** The actor with which control speaks. */
@FunctionalInterface
public interface Lead {

  /**
   * Passes a call on, and returns how many reports complete it (ACT-7): 0 if the benchmark has
   * nothing to say upon it.
   */
  int tell(Call call);
}
