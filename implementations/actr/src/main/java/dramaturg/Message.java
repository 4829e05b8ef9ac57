package dramaturg;

/** What any message of the specification says of itself. References in it are logged nowhere. */
public interface Message {

  /** The name of the actor that sent it. */
  long sender();

  /** How it stands in its receiver's log. Made only for that. */
  Entry entry();

  /** A {@code MessageKind} and the arguments that {@code trace.proto} lists for it, in order. */
  record Entry(int kind, long... arguments) {}
}
