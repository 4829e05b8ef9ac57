package dramaturg

import dramaturg.v1.ControlOuterClass.Peer

/** Which node this is, of which nodes (spec/distributed.md). */
final case class Place(node: Int, peers: IndexedSeq[Peer]) {
  def nodes: Int = peers.size.max(1)
  def isAlone: Boolean = nodes == 1

  /** The node of actor `index` where a class is spread over all nodes. */
  def round(index: Int): Int = index % nodes

  /** The same where node 0 is the lead's. */
  def roundTheRest(index: Int): Int = if (isAlone) 0 else 1 + index % (nodes - 1)

  /** A node as errors call it. */
  def spell(node: Int): String = s"node $node (${peers(node).getHost}:${peers(node).getPort})"
}

object Place {
  val Alone: Place = Place(0, Vector.empty)
}
