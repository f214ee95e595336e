package dev.sluice.reload;

import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Tests a certificate by a TLS handshake in memory. The server uses the configured TLS engine, and the client trusts
 * the last certificate of the chain. Without this test, a key that the engine does not support would be noticed only
 * when the next client connects.
 */
final class ReloadHandshakeProof {

    /**
     * The maximum number of steps of a handshake. In each step, at least one side writes or reads. A handshake of two
     * round trips needs far fewer steps, so a longer one makes no progress.
     */
    private static final int MOST_STEPS = 100;

    /**
     * The size of a buffer in bytes. A certificate chain may need several TLS records, each with a header and at most
     * 16 KiB of content.
     */
    private static final int BUFFER_BYTES = 256 * 1024;

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer toClient = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);

    private ReloadHandshakeProof(SSLEngine client, SSLEngine server) {
        this.client = client;
        this.server = server;
    }

    /**
     * Returns the reason why no client can connect to a server with this certificate. The text is the rest of a
     * sentence that begins with the name of the file. Returns empty if clients can connect. This method blocks.
     */
    static Optional<String> problem(ServerTls tls) {
        try {
            prove(tls);
            return Optional.empty();
        } catch (SSLException | GeneralSecurityException | RuntimeException failed) {
            return Optional.of("cannot be served by the engine in tls.engine: a handshake with it failed ("
                    + failed.getMessage() + "); use a P-256 or an RSA key");
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void prove(ServerTls tls) throws GeneralSecurityException, IOException {
        SslContext context = context(tls);
        SSLEngine server = context.newEngine((ByteBufAllocator) UnpooledByteBufAllocator.DEFAULT);
        try {
            SSLEngine client = trusting(tls.identity()).createSSLEngine();
            client.setUseClientMode(true);
            new ReloadHandshakeProof(client, server).shakeHands();
        } finally {
            ReferenceCountUtil.release(server);
            ReferenceCountUtil.release(context);
        }
    }

    /**
     * Creates the TLS context of the server. It requires no client certificate, because only the certificate of the
     * server is tested.
     */
    private static SslContext context(ServerTls tls) throws SSLException {
        CertifiedKey identity = tls.identity();
        return SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(
                        switch (tls.engine()) {
                            case OPENSSL -> SslProvider.OPENSSL_REFCNT;
                            case JDK -> SslProvider.JDK;
                        })
                .protocols(ServerTls.PROTOCOLS)
                .ciphers(ServerTls.CIPHERS)
                .build();
    }

    private static SSLContext trusting(CertifiedKey identity) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("last", identity.chain().getLast());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private void shakeHands() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int step = 0; step < MOST_STEPS; step++) {
            if (isDone(client) && isDone(server)) {
                return;
            }
            advance(client, toClient, toServer);
            advance(server, toServer, toClient);
        }
        throw new SSLException("it does not end");
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private void advance(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> check(engine.wrap(ByteBuffer.allocate(0), out));
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING, FINISHED -> unwrap(engine, in);
        }
    }

    private void unwrap(SSLEngine engine, ByteBuffer in) throws SSLException {
        in.flip();
        check(engine.unwrap(in, plain));
        in.compact();
        plain.clear();
    }

    private static void check(SSLEngineResult result) throws SSLException {
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("it was closed");
        }
    }
}
