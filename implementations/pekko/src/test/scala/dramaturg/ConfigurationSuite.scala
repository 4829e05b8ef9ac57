package dramaturg

import com.typesafe.config.{Config, ConfigFactory, ConfigParseOptions}

import java.io.File
import scala.jdk.CollectionConverters._

/** What an actor system of Akka goes by and what one of Pekko does, setting by setting. Neither is
  * started: Akka would look for a serializer of its own in Pekko's program.
  */
class ConfigurationSuite extends munit.FunSuite {
  import ConfigurationSuite._

  test("nothing is set for Pekko that Pekko does not know") {
    val known = ConfigFactory.defaultReference().getConfig("pekko")
    val set = ours("pekko").entrySet.asScala.map(_.getKey)
    assertEquals(set.filterNot(key => known.hasPath(key)).toSet, OfTheProgram)
  }

  test("Pekko goes by the settings that Akka goes by, but for those that are listed") {
    val (akka, pekko) = (effectiveInAkka, effectiveInPekko)
    val differing = (akka.keySet ++ pekko.keySet).filter(key => akka.get(key) != pekko.get(key))
    assertEquals(differing, Versions ++ Actors ++ Remoting ++ NotUsed)
  }
}

object ConfigurationSuite {

  /** Names that the program brings. */
  private val OfTheProgram = Set(
    "actor.serialization-bindings.\"dramaturg.Message\"",
    "actor.serializers.on-the-wire"
  )

  // What differs, by its path below the root.

  private val Versions = Set("version", "remote.akka.version")

  /** The first three say what a fork-join pool does anyway. */
  private val Actors = Set(
    "actor.default-dispatcher.fork-join-executor.maximum-pool-size",
    "actor.default-dispatcher.fork-join-executor.minimum-runnable",
    "actor.default-dispatcher.fork-join-executor.virtualize",
    "scheduler.error-on-tick-duration-verification-failed",
    "coordinated-shutdown.close-actor-system-timeout"
  )

  /** Pekko can speak to nodes of Akka. Its streams have mailboxes that Akka does not name. */
  private val Remoting = Set(
    "remote.accept-protocol-names",
    "remote.protocol-name",
    "remote.enforce-strict-config-prefix-check-on-join",
    "remote.artery.advanced.tcp-magic",
    "remote.artery.propagate-harmless-quarantine-events",
    "remote.artery.advanced.materializer.mailbox.mailbox-type",
    "stream.materializer.mailbox.mailbox-type"
  )

  /** No benchmark has virtual threads, protobuf between actors, TLS, names of hosts that are looked
    * up, default ports or classic remoting.
    */
  private val NotUsed = Set(
    "actor.default-dispatcher.virtual-thread-executor.fallback",
    "actor.serialization-bindings.\"akka.protobuf.GeneratedMessage\"",
    "actor.serialization-bindings.\"akka.protobufv3.internal.GeneratedMessage\"",
    "actor.serialization-bindings.\"akka.protobufv3.internal.GeneratedMessageV3\"",
    "actor.serialization-bindings.\"com.google.protobuf.GeneratedMessageV3\"",
    "serialization.protobuf.allowed-classes",
    "serialization.protobuf.whitelist-class",
    "ssl-config.protocol",
    "remote.artery.ssl.config-ssl-engine.enabled-algorithms",
    "remote.artery.ssl.config-ssl-engine.protocol",
    "remote.artery.ssl.rotating-keys-engine.enabled-algorithms",
    "remote.artery.ssl.rotating-keys-engine.protocol",
    "io.dns.async-dns.id-generator-policy",
    "remote.artery.canonical.port",
    "remote.classic.manager-name-prefix",
    "remote.classic.netty.ssl.bytebuf-allocator-type",
    "remote.classic.netty.ssl.port",
    "remote.classic.netty.ssl.security.enabled-algorithms",
    "remote.classic.netty.ssl.security.protocol",
    "remote.classic.netty.tcp.bytebuf-allocator-type",
    "remote.classic.netty.tcp.port"
  )

  private def effectiveInAkka: Map[String, String] = {
    val file = new File("../akka/src/main/resources/application.conf")
    val strict = ConfigParseOptions.defaults.setAllowMissing(false)
    val config =
      ConfigFactory.parseFile(file, strict).withFallback(ConfigFactory.defaultReference()).resolve()
    settings(new akka.actor.ActorSystem.Settings(loader, config, "akka").config.getConfig("akka"))
  }

  private def effectiveInPekko: Map[String, String] = {
    val config = ConfigFactory.load()
    settings(
      new org.apache.pekko.actor.ActorSystem.Settings(loader, config, "pekko").config
        .getConfig("pekko")
    )
  }

  private def loader = getClass.getClassLoader

  /** What application.conf has below this root. */
  private def ours(root: String): Config =
    ConfigFactory.parseResources("application.conf").getConfig(root)

  /** With the names that both would have if Pekko had renamed nothing. */
  private def settings(config: Config): Map[String, String] =
    config.entrySet.asScala
      .map(entry => asInAkka(entry.getKey) -> asInAkka(entry.getValue.unwrapped.toString))
      .toMap

  private def asInAkka(text: String): String =
    text.replace("org.apache.pekko", "akka").replace("pekko", "akka")
}
