package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.SluiceParts;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.log.LogLines;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.tls.TlsEngine;
import dev.sluice.webhook.TestTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.VertxEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What somebody sees whose gateway cannot start, while others connect to it already. */
class FailedStartTest {

    private final Logger log = (Logger) LoggerFactory.getLogger("io.netty");
    private final LogLines lines = new LogLines();

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        log.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
    }

    private void saysNothingOfItsServers() {
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    }

    @Test
    void saysWhatIsWrongAndNothingOfThoseWhoConnectMeanwhile() throws Exception {
        int management = Ports.free();
        AtomicBoolean done = new AtomicBoolean();
        Thread probes = Thread.ofVirtual().start(() -> {
            while (!done.get()) {
                connect(management);
            }
        });
        Path empty = Files.writeString(directory.resolve("cluster.yaml"), "");
        SluiceParts parts = new SluiceParts(
                new TestTls()
                        .secure(new HttpServerOptions().setHost("localhost").setPort(Ports.free()), TlsEngine.OPENSSL),
                1024,
                new HttpServerOptions().setHost("localhost").setPort(management),
                ActivePolicy.DEFAULT,
                ReloadedPolicySource.FIXED,
                new ClusterSource.File(empty));

        assertThatThrownBy(() -> AssembledGateway.start(parts)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClusterStateException.class)
                .hasMessageContaining("is empty");
        done.set(true);
        probes.join();

        saysNothingOfItsServers();
    }

    private static void connect(int port) {
        try {
            new Socket("localhost", port).close();
        } catch (IOException nobodyThere) {
            Thread.onSpinWait();
        }
    }

    /** Vert.x takes the last loop away from a server before it closes the port, and Netty finds none in between. */
    @Test
    void saysNothingOfAConnectionThatComesJustAsAPortIsClosed() throws Exception {
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            Channel listening = new ServerBootstrap()
                    .group(acceptor, new VertxEventLoopGroup())
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {}
                    })
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            int port = ((InetSocketAddress) listening.localAddress()).getPort();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(isClosedByTheServer(socket)).isTrue();
            }
        } finally {
            acceptor.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }

        saysNothingOfItsServers();
    }

    private static boolean isClosedByTheServer(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }
}
