package dramaturg.control

import io.grpc.netty.NettyServerBuilder
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerDomainSocketChannel
import io.netty.channel.{ChannelOption, MultiThreadIoEventLoopGroup}

import java.net.UnixDomainSocketAddress

/** The command line: `--socket PATH`. Serves the control port there until standard input ends. */
object Main {
  def main(arguments: Array[String]): Unit = {
    // One thread: what there is to say is little, and the cores belong to the actors.
    val loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())
    NettyServerBuilder
      .forAddress(UnixDomainSocketAddress.of(arguments(1)))
      .channelType(classOf[NioServerDomainSocketChannel])
      .bossEventLoopGroup(loop)
      .workerEventLoopGroup(loop)
      // gRPC asks for TCP keep-alive, which a Unix socket has not got, and Netty would complain.
      .withChildOption(ChannelOption.SO_KEEPALIVE, null)
      .addService(new Control)
      .build
      .start()
    while (System.in.read() >= 0) ()
    // Whatever actors are in the middle of.
    Runtime.getRuntime.halt(0)
  }
}
