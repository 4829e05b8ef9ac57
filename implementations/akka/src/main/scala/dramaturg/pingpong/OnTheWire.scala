package dramaturg.pingpong

import akka.actor.ExtendedActorSystem
import akka.actor.typed.ActorRefResolver
import akka.actor.typed.scaladsl.adapter._
import akka.serialization.{ByteBufferSerializer, SerializerWithStringManifest}

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8

/** A message that may go to another node. */
trait OnTheWire

/** Its form there: fixed integers, and an actor reference as Akka spells it. */
final class OnTheWireSerializer(system: ExtendedActorSystem)
    extends SerializerWithStringManifest
    with ByteBufferSerializer {
  import OnTheWireSerializer._

  private val references = ActorRefResolver(system.toTyped)

  override val identifier: Int = 1309

  override def manifest(message: AnyRef): String = message match {
    case _: Pong.Ping => PingManifest
    case _: Ping.Pong => PongManifest
    case _            => throw unknown(message.getClass.getName)
  }

  override def toBinary(message: AnyRef, buffer: ByteBuffer): Unit = message match {
    case Pong.Ping(sender, left, replyTo) =>
      val reference = references.toSerializationFormat(replyTo).getBytes(UTF_8)
      buffer.putLong(sender).putLong(left).putInt(reference.length).put(reference): Unit
    case Ping.Pong(sender, left) =>
      buffer.putLong(sender).putLong(left): Unit
    case _ => throw unknown(message.getClass.getName)
  }

  override def fromBinary(buffer: ByteBuffer, manifest: String): AnyRef = manifest match {
    case PingManifest =>
      val sender = buffer.getLong()
      val left = buffer.getLong()
      val reference = new Array[Byte](buffer.getInt())
      buffer.get(reference)
      Pong.Ping(sender, left, references.resolveActorRef(new String(reference, UTF_8)))
    case PongManifest => Ping.Pong(buffer.getLong(), buffer.getLong())
    case _            => throw unknown(manifest)
  }

  // Artery uses the two above; Akka asks for these as well.

  override def toBinary(message: AnyRef): Array[Byte] = {
    val buffer = ByteBuffer.allocate(EnoughBytes)
    toBinary(message, buffer)
    buffer.flip()
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    bytes
  }

  override def fromBinary(bytes: Array[Byte], manifest: String): AnyRef =
    fromBinary(ByteBuffer.wrap(bytes), manifest)

  private def unknown(what: String) = new IllegalArgumentException(
    s"$what is not sent to other nodes"
  )
}

object OnTheWireSerializer {
  private val PingManifest = "ping"
  private val PongManifest = "pong"
  private val EnoughBytes = 1024
}
