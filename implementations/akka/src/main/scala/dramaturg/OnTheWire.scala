package dramaturg

import akka.serialization.{ByteBufferSerializer, Serializer}
import dramaturg.micro._
import dramaturg.v1.Trace.MessageKind

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
      buffer.putShort(entry.kind.getNumber.toShort).putLong(message.sender)
      entry.arguments.foreach(buffer.putLong)
    case _ => throw new IllegalArgumentException(s"${any.getClass} is not sent to other nodes")
  }

  override def fromBinary(buffer: ByteBuffer, manifest: String): AnyRef = {
    val kind = buffer.getShort().toInt
    val decoder = OnTheWire.decoders.lift(kind).flatMap(Option(_)).getOrElse {
      throw new IllegalArgumentException(s"${MessageKind.forNumber(kind)} comes from no other node")
    }
    decoder(buffer.getLong(), buffer)
  }

  // Artery uses the two above; Akka asks for these as well.

  override def toBinary(message: AnyRef): Array[Byte] = {
    val buffer = ByteBuffer.allocate(OnTheWire.EnoughBytes)
    toBinary(message, buffer)
    buffer.flip()
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    bytes
  }

  override def fromBinary(bytes: Array[Byte], manifest: Option[Class[_]]): AnyRef =
    fromBinary(ByteBuffer.wrap(bytes), "")
}

object OnTheWire {

  /** Makes a message of its sender and what is left in the buffer. */
  type Decoder = (Long, ByteBuffer) => Message

  private val EnoughBytes = 1024

  /** By the number of the kind. */
  private val decoders: Array[Decoder] = {
    val all = PingPong.Decoders ++ Big.Decoders ++ Bang.Decoders ++ Web.Decoders
    val table = new Array[Decoder](all.keys.map(_.getNumber).max + 1)
    for ((kind, decoder) <- all) table(kind.getNumber) = decoder
    table
  }
}
