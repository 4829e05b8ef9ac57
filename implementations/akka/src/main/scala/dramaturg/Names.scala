package dramaturg

import dramaturg.v1.Trace.ActorClass
import dramaturg.v1.Options

/** Actor names: a class and two indices in one 64-bit integer (spec/actors.md). */
object Names {
  val Control: Long = name(ActorClass.ACTOR_CLASS_CONTROL)
  val Poker: Long = name(ActorClass.ACTOR_CLASS_POKER)
  val Ping: Long = name(ActorClass.ACTOR_CLASS_PING)
  val Pong: Long = name(ActorClass.ACTOR_CLASS_PONG)
  val Coordinator: Long = name(ActorClass.ACTOR_CLASS_COORDINATOR)
  val Receiver: Long = name(ActorClass.ACTOR_CLASS_RECEIVER)
  val Dispatcher: Long = name(ActorClass.ACTOR_CLASS_DISPATCHER)
  val Tally: Long = name(ActorClass.ACTOR_CLASS_TALLY)
  val Counter: Long = name(ActorClass.ACTOR_CLASS_COUNTER)
  val Master: Long = name(ActorClass.ACTOR_CLASS_MASTER)
  val Alarm: Long = name(ActorClass.ACTOR_CLASS_ALARM)
  val Employer: Long = name(ActorClass.ACTOR_CLASS_EMPLOYER)
  val Router: Long = name(ActorClass.ACTOR_CLASS_ROUTER)

  def directory(index: Int): Long = name(ActorClass.ACTOR_CLASS_DIRECTORY, index)
  def client(number: Int): Long = name(ActorClass.ACTOR_CLASS_CLIENT, number)
  def chat(creator: Int, created: Int): Long = name(ActorClass.ACTOR_CLASS_CHAT, creator, created)
  def accumulator(turn: Int): Long = name(ActorClass.ACTOR_CLASS_ACCUMULATOR, turn)
  def peer(index: Int): Long = name(ActorClass.ACTOR_CLASS_PEER, index)
  def sender(index: Int): Long = name(ActorClass.ACTOR_CLASS_SENDER, index)
  def worker(index: Int): Long = name(ActorClass.ACTOR_CLASS_WORKER, index)
  def browser(index: Int): Long = name(ActorClass.ACTOR_CLASS_BROWSER, index)
  def adder(index: Int): Long = name(ActorClass.ACTOR_CLASS_ADDER, index)
  def link(index: Int): Long = name(ActorClass.ACTOR_CLASS_LINK, index)
  def runner(index: Int): Long = name(ActorClass.ACTOR_CLASS_RUNNER, index)
  def sleeper(index: Int): Long = name(ActorClass.ACTOR_CLASS_SLEEPER, index)
  def sorter(place: Int): Long = name(ActorClass.ACTOR_CLASS_SORTER, place)
  def employee(index: Int): Long = name(ActorClass.ACTOR_CLASS_EMPLOYEE, index)

  /** The first index in a name. */
  def indexOf(name: Long): Int = (name >>> IndexShift).toInt

  /** A name as people read it: `client/17`, `chat/17.2`, `poker/0`, `control`. */
  def spell(name: Long): String = {
    val actorClass = ActorClass.forNumber((name >>> ClassShift).toInt)
    val label = labels(actorClass)
    val index = Integer.toUnsignedString(indexOf(name))
    actorClass match {
      case ActorClass.ACTOR_CLASS_CONTROL => label
      case ActorClass.ACTOR_CLASS_CHAT    => s"$label/$index.${name & SecondMask}"
      case _                              => s"$label/$index"
    }
  }

  private val labels: Map[ActorClass, String] =
    ActorClass.values.toList
      .filter(_ != ActorClass.UNRECOGNIZED)
      .map(known => known -> known.getValueDescriptor.getOptions.getExtension(Options.label))
      .toMap

  private def name(actorClass: ActorClass, index: Int = 0, second: Int = 0): Long =
    actorClass.getNumber.toLong << ClassShift |
      Integer.toUnsignedLong(index) << IndexShift |
      second.toLong

  private def ClassShift = 56
  private def IndexShift = 24
  private def SecondMask = (1L << 24) - 1
}
