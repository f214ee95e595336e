package dev.sluice.bench;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** What kubelet and the API server do to a gateway on this machine, with as little work of its own as can be. */
record GatewayClient(SSLSocketFactory sockets, int webhookPort, int managementPort) {

    private static final List<PodKind> ASKED = List.of(PodKind.OFFERED, PodKind.FALLS_BACK, PodKind.BY_PRODUCT);
    private static final String OK = "HTTP/1.1 200 ";
    private static final String BUSY = "HTTP/1.1 503 ";
    private static final int MOST_TRIES = 10;

    /** For two ports that are free now. */
    static GatewayClient trusting(Path authority) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(authority)) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, trust.getTrustManagers(), null);
        try (ServerSocket one = new ServerSocket(0);
                ServerSocket other = new ServerSocket(0)) {
            return new GatewayClient(context.getSocketFactory(), one.getLocalPort(), other.getLocalPort());
        }
    }

    /** Asks once; the caller asks again at once, so that no waiting is counted as starting. */
    boolean isReady() throws IOException, InterruptedException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), managementPort)) {
            socket.getOutputStream()
                    .write("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            boolean ready = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).startsWith(OK);
            if (!ready) {
                pause();
            }
            return ready;
        } catch (ConnectException notYet) {
            pause();
            return false;
        }
    }

    /** Asking without a pause would take the processor from the gateway. */
    private static void pause() throws InterruptedException {
        Thread.sleep(5);
    }

    /** Spread evenly over so many connections that are kept alive. */
    void admitAll(int reviews, int connections) throws Exception {
        int each = reviews / connections;
        together(IntStream.range(0, connections)
                .<Part>mapToObj(part -> () -> admit(part * each, (part + 1) * each))
                .toList());
    }

    /** What one of several threads does. */
    interface Part {
        void run() throws Exception;
    }

    /** Runs all parts at once, each on a thread of its own, and fails if one of them does. */
    static void together(List<Part> parts) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(parts.size())) {
            List<Callable<Boolean>> calls = parts.stream()
                    .<Callable<Boolean>>map(part -> () -> {
                        part.run();
                        return true;
                    })
                    .toList();
            for (Future<Boolean> end : threads.invokeAll(calls)) {
                var _ = end.get();
            }
        }
    }

    /** Sends the reviews with these numbers over one connection, each after the answer to the one before. */
    void admit(int from, int to) throws IOException {
        try (Caller caller = connect()) {
            for (int number = from; number < to; number++) {
                String answer = caller.ask(SamplePods.review(ASKED.get(number % ASKED.size()), number, ""));
                if (!answer.contains("\"allowed\":true") || !answer.contains("\"decision\"")) {
                    throw new IOException("not admitted: " + answer);
                }
            }
        }
    }

    /**
     * Sends these reviews over one connection, each {@code pauseMillis} after the answer to the one before. Every
     * decision is right, also one that refuses the pod.
     */
    void ask(List<byte[]> reviews, long pauseMillis) throws IOException, InterruptedException {
        try (Caller caller = connect()) {
            for (byte[] review : reviews) {
                String answer = caller.ask(review);
                if (!answer.contains("\"allowed\":")) {
                    throw new IOException("not answered: " + answer);
                }
                Thread.sleep(pauseMillis);
            }
        }
    }

    private Caller connect() throws IOException {
        Socket socket = sockets.createSocket(InetAddress.getLoopbackAddress(), webhookPort);
        return new Caller(socket, new DataInputStream(socket.getInputStream()));
    }

    /** The gateway could not decide in time. */
    private static final class NotNow extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        NotNow(String message) {
            super(message);
        }
    }

    /** One connection to the webhook. */
    private record Caller(Socket socket, DataInputStream in) implements AutoCloseable {

        /** A gateway on a busy machine answers 503 in time rather than well too late, and is asked again. */
        String ask(byte[] review) throws IOException {
            for (int tries = 1; ; tries++) {
                socket.getOutputStream().write(request(review));
                try {
                    return answer(in);
                } catch (NotNow busy) {
                    if (tries == MOST_TRIES) {
                        throw busy;
                    }
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** The body of an answer of the management port. */
    String read(String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), managementPort)) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return answer(new DataInputStream(socket.getInputStream()));
        }
    }

    private static byte[] request(byte[] body) {
        byte[] head =
                "POST /mutate?timeout=10s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(body.length)
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private static String answer(DataInputStream in) throws IOException {
        String status = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        if (status.startsWith(BUSY)) {
            throw new NotNow(status + ": " + body);
        }
        if (!status.startsWith(OK)) {
            throw new IOException(status + ": " + body);
        }
        return body;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (byte octet = in.readByte(); octet != '\n'; octet = in.readByte()) {
            if (octet != '\r') {
                line.append((char) octet);
            }
        }
        return line.toString();
    }
}
