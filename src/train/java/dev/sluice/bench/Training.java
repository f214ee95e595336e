package dev.sluice.bench;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Makes the two AOT caches of what is packaged: starts {@code bin/sluice} so that the JVM takes notes, gives it work
 * like the real one, and ends it, at which the JVM writes the cache. A cache holds the classes as they were loaded and
 * linked, and how often the methods ran and with which types, so that the next start loads nothing and compiles the
 * right methods at once.
 *
 * <p>A cache has one process. That of the gateway works in availability mode, which does all that allocatable mode does
 * and more. All commands that end share the cache of {@code sluice capacity}, which reads a live cluster as most do.
 */
final class Training {

    /**
     * When the second compiler takes a method over, which ends the counting for the cache. A gateway calls a method
     * 32,768 times before it compiles it with these counts. Where they came from 5,000 calls, as the JVM has it, the
     * compiler took much of what each review calls for rare and left it out of line, for as long as the gateway lived
     * (decision 21; why has not been traced). What is not compiled at all in the training would be measured anew in
     * each gateway.
     */
    private static final String SECOND_COMPILER = "-XX:Tier2InvokeNotifyFreqLog=11 -XX:Tier2BackedgeNotifyFreqLog=14"
            + " -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=10000"
            + " -XX:Tier4CompileThreshold=40000 -XX:Tier4BackEdgeThreshold=200000";

    private static final String OF_THE_GATEWAY = "sluice.aot";
    private static final String OF_THE_COMMANDS = "commands.aot";

    private static final List<PodKind> ASKED = List.of(PodKind.values());
    private static final int CONNECTIONS = 4;
    /** The number of reviews with which the second compiler has compiled what most reviews need. */
    private static final int REVIEWS = Integer.getInteger("training.reviews", 30_000);

    private static final Duration DAY = Duration.ofDays(1);
    /** The cache fits this one only. */
    private static final String JDK = Path.of(System.getProperty("training.jdk", System.getProperty("java.home")))
            .toAbsolutePath()
            .toString();

    private final Path room;
    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), DAY);
    private final CertifiedKey serving =
            authority.issue(new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1")), Instant.now(), DAY);

    private Training(Path room) {
        this.room = room;
    }

    /** The argument is the directory that {@code mvn package} lays out. */
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Path room = Files.createTempDirectory("sluice-training");
        try {
            new Training(room).run(home);
        } finally {
            try (Stream<Path> files = Files.walk(room)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void run(Path home) throws Exception {
        Files.writeString(room.resolve("ca.crt"), authority.certificatePem());
        Files.writeString(room.resolve("tls.crt"), serving.certificatePem());
        Files.writeString(room.resolve("tls.key"), serving.keyPem());
        GatewayClient client = GatewayClient.trusting(room.resolve("ca.crt"));
        Path log = room.resolve("log");
        try (TrainingApi api = new TrainingApi(identity())) {
            kubeconfig(api);
            Process gateway = gateway(home, client, log);
            try {
                work(gateway, client, api);
            } catch (IOException | ExecutionException | IllegalStateException failed) {
                throw new IllegalStateException(Files.readString(log), failed);
            } finally {
                gateway.destroy();
                end(gateway);
            }
            finish(home.resolve(OF_THE_GATEWAY), log);
            Process command = sluice(home, OF_THE_COMMANDS, log, "", "capacity");
            end(command);
            if (command.exitValue() != 0) {
                throw new IllegalStateException(Files.readString(log));
            }
            finish(home.resolve(OF_THE_COMMANDS), log);
        }
    }

    private static void end(Process process) throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private static void finish(Path cache, Path log) throws IOException {
        if (!Files.exists(cache)) {
            throw new IllegalStateException("no cache was written\n" + Files.readString(log));
        }
        var _ = Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private void kubeconfig(TrainingApi api) throws IOException {
        Files.writeString(room.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: '%s', certificate-authority-data: %s}}]
                users: [{name: u, user: {token: of-the-training}}]
                contexts: [{name: x, context: {cluster: c, user: u, namespace: gpu-webhook}}]
                current-context: x
                """.formatted(
                api.url(),
                Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(StandardCharsets.UTF_8))));
    }

    private Process gateway(Path home, GatewayClient client, Path log) throws IOException {
        // The manifests name a directory of several files.
        Path config = Files.createDirectory(room.resolve("config"));
        Files.writeString(config.resolve("availability.yaml"), "policy: {mode: availability}\n");
        Files.writeString(config.resolve("gateway.yaml"), """
                webhook: {host: 127.0.0.1, port: %d}
                management: {host: 127.0.0.1, port: %d}
                tls: {certificate: %s, key: %s}
                kubernetes: {kubeconfig: %s}
                policy: {}
                injection: {file: %s}
                """.formatted(
                        client.webhookPort(),
                        client.managementPort(),
                        room.resolve("tls.crt"),
                        room.resolve("tls.key"),
                        room.resolve("kubeconfig"),
                        home.resolve("conf/gpu-injection.json")));
        // Written with "=", the line is read by picocli, whose classes are too old for the cache. The JVM (25.0.3)
        // compares the archives with those of the cache only where the run loaded a class that it could not keep.
        return sluice(home, OF_THE_GATEWAY, log, SECOND_COMPILER, "serve", "--config=" + config);
    }

    private Process sluice(Path home, String cache, Path log, String options, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(words));
        command.addFirst(home.resolve("bin/sluice").toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SLUICE_JAVA_HOME", JDK);
        builder.environment().put("KUBECONFIG", room.resolve("kubeconfig").toString());
        builder.environment()
                .put(
                        "SLUICE_JAVA_OPTS",
                        "-XX:AOTCacheOutput=" + home.resolve(cache) + " -Xlog:aot=error,cds=error " + options);
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    private SSLContext identity() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("serving", serving.key(), new char[0], serving.chain().toArray(new Certificate[0]));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static void work(Process gateway, GatewayClient client, TrainingApi api) throws Exception {
        awaitReady(gateway, client);
        Thread changes = Thread.ofPlatform().daemon().start(() -> change(api));
        int each = REVIEWS / CONNECTIONS;
        GatewayClient.together(IntStream.range(0, CONNECTIONS)
                .<GatewayClient.Part>mapToObj(part -> () -> client.ask(reviews(part * each, each), 1))
                .toList());
        // Connections of one call each, as those of an API server with nothing to do.
        for (int number = 0; number < 20; number++) {
            client.ask(reviews(REVIEWS + number, 1), 0);
        }
        api.forget();
        for (String page : List.of("/metrics", "/readyz?verbose", "/livez", "/api/v1/capacity", "/metrics")) {
            var _ = client.read(page);
        }
        awaitReady(gateway, client);
        changes.interrupt();
        changes.join();
    }

    private static void awaitReady(Process gateway, GatewayClient client) throws IOException, InterruptedException {
        while (!client.isReady()) {
            if (!gateway.isAlive()) {
                throw new IllegalStateException("the gateway ended with " + gateway.exitValue());
            }
        }
    }

    private static void change(TrainingApi api) {
        try {
            for (int number = 0; ; number++) {
                api.change(number);
                Thread.sleep(10);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<byte[]> reviews(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(Training::review).toList();
    }

    /** Of every kind; one in seven asks for an injection. */
    private static byte[] review(int number) {
        byte[] review = SamplePods.review(
                ASKED.get(number % ASKED.size()), number, SampleNodes.name(number % TrainingApi.NODES));
        return number % 7 != 0
                ? review
                : new String(review, StandardCharsets.UTF_8)
                        .replace(
                                "\"prometheus.io/scrape\":\"true\",",
                                "\"prometheus.io/scrape\":\"true\",\"task.bkbcs.tencent.com/gpu-type\":\"H100\",")
                        .getBytes(StandardCharsets.UTF_8);
    }
}
