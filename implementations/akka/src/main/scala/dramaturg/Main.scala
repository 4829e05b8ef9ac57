package dramaturg

import io.grpc.netty.NettyServerBuilder
import io.netty.channel.{ChannelOption, MultiThreadIoEventLoopGroup}
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerDomainSocketChannel

import java.net.UnixDomainSocketAddress
import java.nio.file.{Files, Path}
import java.util.concurrent.{CountDownLatch, TimeUnit}

/** The command line: `--socket PATH`. Serves the control port there until Shutdown. */
object Main {
  def main(arguments: Array[String]): Unit = arguments match {
    case Array("--socket", path) => serve(Path.of(path))
    case _                       =>
      System.err.println("usage: run --socket PATH")
      sys.exit(2)
  }

  private def serve(socket: Path): Unit = {
    val done = new CountDownLatch(1)
    // One thread: what there is to say is little, and the cores belong to the actors.
    val loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())
    Files.deleteIfExists(socket)
    val server = NettyServerBuilder
      .forAddress(UnixDomainSocketAddress.of(socket))
      .channelType(classOf[NioServerDomainSocketChannel])
      .bossEventLoopGroup(loop)
      .workerEventLoopGroup(loop)
      // gRPC asks for TCP keep-alive, which a Unix socket has not got, and Netty would complain.
      .withChildOption(ChannelOption.SO_KEEPALIVE, null)
      .addService(new Control(new Session, () => done.countDown()))
      .build
      .start()
    done.await()
    server.shutdown().awaitTermination(500, TimeUnit.MILLISECONDS)
    Files.deleteIfExists(socket)
    // Not by return: actors may be in the middle of anything.
    sys.exit(0)
  }
}
