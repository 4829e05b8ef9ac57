package dramaturg.control;

import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;

/** {@code --socket PATH}: serves the control port there until standard input ends. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2 || !arguments[0].equals("--socket")) {
      System.err.println("usage: ./run --socket PATH");
      System.exit(2);
    }
    // One thread: what there is to say is little, and the processors belong to the actors.
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(arguments[1]))
        .channelType(NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(loop)
        .workerEventLoopGroup(loop)
        // gRPC asks for TCP keep-alive, which a Unix socket has not got, and Netty would complain.
        .withChildOption(ChannelOption.SO_KEEPALIVE, null)
        .addService(new Control())
        .build()
        .start();
    while (System.in.read() >= 0) {
      // Nothing is written there: it only ends (CTRL-11).
    }
    // Whatever actors are in the middle of.
    Runtime.getRuntime().halt(0);
  }
}
