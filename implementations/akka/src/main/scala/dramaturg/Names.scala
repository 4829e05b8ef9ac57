package dramaturg

import dramaturg.v2.Options
import dramaturg.v2.Trace.ActorClass

/** Actor names: a class and two indices in one 64-bit integer (ACT-3). */
object Names {
  private val ClassShift = 56
  private val IndexShift = 24
  private val SecondMask = (1L << IndexShift) - 1

  val Control: Long = Names(ActorClass.ACTOR_CLASS_CONTROL_VALUE)

  def apply(actorClass: Int, index: Int = 0, second: Int = 0): Long =
    actorClass.toLong << ClassShift | Integer.toUnsignedLong(index) << IndexShift | second.toLong

  def classOf(name: Long): Int = (name >>> ClassShift).toInt

  /** The first index in a name. */
  def indexOf(name: Long): Int = (name >>> IndexShift).toInt

  /** A name as it stands in a path: `client-17`, `chat-17.2`. */
  def inPath(name: Long): String = spell(name).replace('/', '-')

  /** A name as people read it: `client/17`, `chat/17.2`, `poker/0`. */
  def spell(name: Long): String = {
    val actorClass = ActorClass.forNumber(classOf(name))
    val label = actorClass.getValueDescriptor.getOptions.getExtension(Options.label)
    val index = Integer.toUnsignedString(indexOf(name))
    if (actorClass == ActorClass.ACTOR_CLASS_CHAT) s"$label/$index.${name & SecondMask}"
    else s"$label/$index"
  }
}
