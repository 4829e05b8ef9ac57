package dramaturg.nodes

import akka.actor.typed.ActorRef
import akka.actor.{ActorRef => _, ExtendedActorSystem}
import akka.serialization.{ByteBufferSerializer, Serializer}
import dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_UNSPECIFIED_VALUE
import dramaturg.{Benchmarks, Digest, Laden, Message}

import java.nio.ByteBuffer

/** The form of messages between nodes: what their receiver logs, as fixed integers.
  *
  * They need nothing else, for everybody knows everybody by name: a reference is made of it. Bytes
  * are in no log, and come last.
  */
final class OnTheWire(system: ExtendedActorSystem) extends Serializer with ByteBufferSerializer {
  private val addresses = Addresses.of(system)

  override val identifier: Int = 1309
  override val includeManifest: Boolean = false

  override def toBinary(any: AnyRef, buffer: ByteBuffer): Unit = any match {
    case laden: Laden =>
      val sent = laden.sent
      buffer.putShort(sent.kind.toShort).putLong(laden.sender)
      sent.arguments.foreach(buffer.putLong(_))
      buffer.put(laden.bytes): Unit
    case message: Message =>
      val entry = message.entry
      buffer.putShort(entry.kind.toShort).putLong(message.sender)
      entry.arguments.foreach(buffer.putLong(_))
    case _ => throw new IllegalArgumentException(s"${any.getClass} is not sent to other nodes")
  }

  override def fromBinary(buffer: ByteBuffer, manifest: String): AnyRef = {
    val kind = buffer.getShort().toInt
    val sender = buffer.getLong()
    OnTheWire.decoders(kind)(sender, new OnTheWire.Arguments(buffer, addresses))
  }

  // Artery uses the two above; Akka asks for these as well.

  override def toBinary(any: AnyRef): Array[Byte] = {
    val (numbers, bytes) = any match {
      case laden: Laden     => (laden.sent.arguments.length, laden.bytes.length)
      case message: Message => (message.entry.arguments.length, 0)
      case _                => (0, 0)
    }
    val buffer = ByteBuffer.allocate(OnTheWire.Head + numbers * java.lang.Long.BYTES + bytes)
    toBinary(any, buffer)
    buffer.array
  }

  override def fromBinary(bytes: Array[Byte], manifest: Option[Class[_]]): AnyRef =
    fromBinary(ByteBuffer.wrap(bytes), "")
}

object OnTheWire {

  /** Makes a message of its sender and its arguments. */
  type Decoder = (Long, Arguments) => Message

  /** The arguments of a message, in their order. */
  final class Arguments(buffer: ByteBuffer, addresses: CurrentAddresses) {
    def long(): Long = buffer.getLong()
    def int(): Int = long().toInt
    def digest(): Digest = new Digest(int())

    /** An actor of this name. */
    def actor[M](name: Long): ActorRef[M] = addresses.ofWorld(name)

    /** All that is left. */
    def bytes(): Array[Byte] = {
      val bytes = new Array[Byte](buffer.remaining)
      buffer.get(bytes)
      bytes
    }

    /** All that is left, a character in each. */
    def text(): String =
      new String(Array.fill(buffer.remaining / java.lang.Long.BYTES)(int().toChar))
  }

  /** The bytes of a kind and a sender. */
  private val Head = java.lang.Short.BYTES + java.lang.Long.BYTES

  /** By the number of the kind. */
  private val decoders: Int => Decoder = {
    val failed: Decoder = (sender, in) => Neighbour.Failed(sender, in.text())
    val birth: Decoder = (sender, in) => Neighbour.Birth(sender, in.long(), in.int())
    val first: Decoder = (sender, in) => Neighbour.First(sender, in.long(), in.bytes())
    val all = Map(
      MESSAGE_KIND_UNSPECIFIED_VALUE -> failed,
      Neighbour.BirthKind -> birth,
      Neighbour.FirstKind -> first
    ) ++ Benchmarks.Decoders
    val table = new Array[Decoder](all.keys.max + 1)
    for ((kind, decoder) <- all) table(kind) = decoder
    table
  }
}
