package dramaturg.nodes

import akka.serialization.{ByteBufferSerializer, Serializer}
import dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_UNSPECIFIED_VALUE
import dramaturg.{Benchmarks, Digest, Message}

import java.nio.ByteBuffer

/** The form of messages between nodes: what their receiver logs, as fixed integers.
  *
  * They need nothing else, for everybody knows everybody by name.
  */
final class OnTheWire extends Serializer with ByteBufferSerializer {
  override val identifier: Int = 1309
  override val includeManifest: Boolean = false

  override def toBinary(any: AnyRef, buffer: ByteBuffer): Unit = any match {
    case message: Message =>
      val entry = message.entry
      buffer.putShort(entry.kind.toShort).putLong(message.sender)
      entry.arguments.foreach(buffer.putLong(_))
    case _ => throw new IllegalArgumentException(s"${any.getClass} is not sent to other nodes")
  }

  override def fromBinary(buffer: ByteBuffer, manifest: String): AnyRef = {
    val kind = buffer.getShort().toInt
    val sender = buffer.getLong()
    OnTheWire.decoders(kind)(sender, new OnTheWire.Arguments(buffer))
  }

  // Artery uses the two above; Akka asks for these as well.

  override def toBinary(message: AnyRef): Array[Byte] = {
    val buffer = ByteBuffer.allocate(OnTheWire.EnoughBytes)
    toBinary(message, buffer)
    java.util.Arrays.copyOf(buffer.array, buffer.position())
  }

  override def fromBinary(bytes: Array[Byte], manifest: Option[Class[_]]): AnyRef =
    fromBinary(ByteBuffer.wrap(bytes), "")
}

object OnTheWire {

  /** Makes a message of its sender and its arguments. */
  type Decoder = (Long, Arguments) => Message

  /** The arguments of a message, in their order. */
  final class Arguments(private val buffer: ByteBuffer) extends AnyVal {
    def long(): Long = buffer.getLong()
    def int(): Int = long().toInt
    def digest(): Digest = new Digest(int())

    /** All that is left, a character in each. */
    def text(): String =
      new String(Array.fill(buffer.remaining / java.lang.Long.BYTES)(int().toChar))
  }

  private val EnoughBytes = 16384

  /** By the number of the kind. */
  private val decoders: Int => Decoder = {
    val failed: Decoder = (sender, in) => Neighbour.Failed(sender, in.text())
    val all = Map(MESSAGE_KIND_UNSPECIFIED_VALUE -> failed) ++ Benchmarks.Decoders
    val table = new Array[Decoder](all.keys.max + 1)
    for ((kind, decoder) <- all) table(kind) = decoder
    table
  }
}
