package dramaturg.control;

/** An actor has failed: its name and the reason (CTRL-10). */
final class ActorFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  ActorFailure(String reason) {
    super(reason);
  }
}
