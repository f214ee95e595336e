package dev.sluice.it;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * The packaged gateway with its shipped flags, in a process of its own that a test attacks. It reads a file with
 * generated nodes, or the cluster of a kubeconfig. The test sees what the process costs, whether it still runs, and
 * with {@link #goodClient()} how it serves everybody else meanwhile.
 */
final class Siege implements AutoCloseable {

    private static final Path RUNS = Path.of("target", "siege").toAbsolutePath();
    /** A large snapshot is read before the gateway is ready, and the machine may be busy with other tests. */
    private static final Duration START = Duration.ofMinutes(2);

    private static final Duration DAY = Duration.ofDays(1);

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), DAY);
    private final SSLContext tls = Trust.in(authority);
    private final HttpClient http = HttpClient.newHttpClient();
    private final Undertaker undertaker = new Undertaker();
    private final int webhookPort;
    private final int managementPort;
    private final Path directory;
    private final Daemon daemon;

    /**
     * Ready when it returns.
     *
     * @param cluster words of the command line that name the cluster
     * @param management what the section on the management port holds beside its address, in YAML
     * @param configuration what the configuration holds beside ports and certificates, in YAML
     */
    private Siege(Path directory, List<String> cluster, String management, String configuration) throws IOException {
        this.directory = directory;
        List<Integer> ports = Ports.free(2);
        webhookPort = ports.get(0);
        managementPort = ports.get(1);
        CertifiedKey serving = authority.issue(
                new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1")), Instant.now(), DAY);
        Files.writeString(directory.resolve("tls.crt"), serving.certificatePem());
        Files.writeString(directory.resolve("tls.key"), serving.keyPem());
        Files.writeString(directory.resolve("gateway.yaml"), addresses(management) + configuration);
        Stream<String> words = Stream.of(
                Gateway.LAUNCHER.toString(),
                "serve",
                "--config",
                directory.resolve("gateway.yaml").toString());
        daemon = new Daemon(
                undertaker,
                directory.resolve("gateway.log"),
                Stream.concat(words, cluster.stream()).toList(),
                Map.of("SLUICE_JAVA_HOME", System.getProperty("java.home")));
        daemon.start();
        Eventually.within(START, "the besieged gateway is ready", () -> daemon.runs() && isReady());
    }

    /**
     * On a file with this cluster.
     *
     * @param configuration more of it, in YAML, or nothing: {@code policy: {mode: availability}}
     */
    static Siege on(GeneratedCluster cluster, String configuration) throws IOException {
        Path snapshot = newDirectory().resolve("cluster.json");
        cluster.writeTo(snapshot);
        return onFile(snapshot, configuration);
    }

    /** On the cluster in this file. */
    static Siege onFile(Path snapshot, String configuration) throws IOException {
        return new Siege(newDirectory(), List.of("--cluster-snapshot", snapshot.toString()), "", configuration);
    }

    /** On the cluster of this kubeconfig, which it watches. */
    static Siege watching(Path kubeconfig, String configuration) throws IOException {
        return of(kubeconfig, "", configuration);
    }

    private static Siege of(Path kubeconfig, String management, String configuration) throws IOException {
        String cluster = "kubernetes: {kubeconfig: " + kubeconfig + "}\n";
        return new Siege(newDirectory(), List.of(), management, cluster + configuration);
    }

    /** The same, and it diagnoses the cluster with a pause of one second. */
    static Siege diagnosing(Path kubeconfig) throws IOException {
        return of(kubeconfig, ", diagnosisSeconds: 1", "");
    }

    /** On this file of a cluster, which it diagnoses with a pause of one second. */
    static Siege diagnosingFile(Path snapshot) throws IOException {
        return new Siege(
                newDirectory(), List.of("--cluster-snapshot", snapshot.toString()), ", diagnosisSeconds: 1", "");
    }

    private static Path newDirectory() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(RUNS), "run-");
    }

    private String addresses(String management) {
        return """
            webhook: {host: 127.0.0.1, port: %d}
            management: {host: 127.0.0.1, port: %d%s}
            tls: {certificate: %s, key: %s}
            """.formatted(
                webhookPort, managementPort, management, directory.resolve("tls.crt"), directory.resolve("tls.key"));
    }

    int webhookPort() {
        return webhookPort;
    }

    int managementPort() {
        return managementPort;
    }

    long pid() {
        return daemon.pid();
    }

    boolean isAlive() {
        return daemon.isAlive();
    }

    /** Empty while it runs. */
    OptionalInt exitCode() {
        return daemon.exitCode();
    }

    /** What of the process is in memory now. */
    long residentBytes() throws IOException {
        return kernelSays("VmRSS:");
    }

    /** The most of it that ever was. */
    long peakBytes() throws IOException {
        return kernelSays("VmHWM:");
    }

    private long kernelSays(String name) throws IOException {
        String line = Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(each -> each.startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the process has no memory any more: " + exitCode()));
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** The processor time that it has used. */
    Duration cpuTime() {
        return ProcessHandle.of(pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("the process has ended: " + exitCode()));
    }

    MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.of(get("/metrics").body());
    }

    boolean isReady() throws IOException, InterruptedException {
        return get("/readyz").statusCode() == 200;
    }

    /** From the management port. */
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + path))
                        .timeout(Duration.ofSeconds(5))
                        .build(),
                BodyHandlers.ofString());
    }

    String log() throws IOException {
        return Files.readString(daemon.log());
    }

    /** A connection whose handshake is done, for who follows no rules. */
    RawConnection connect() throws IOException {
        return new RawConnection(tls.getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress().getHostAddress(), webhookPort));
    }

    /** A connection without TLS: to the webhook's port for half a handshake, or to the management port. */
    static RawConnection plain(int port) throws IOException {
        return new RawConnection(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** One who keeps to the rules and wants to be served whatever others do. */
    GoodClient goodClient() {
        return new GoodClient(this);
    }

    /** What a gateway that still ran has left behind is deleted; after any other end it stays for who looks into it. */
    @Override
    public void close() throws IOException {
        boolean healthy = isAlive();
        try {
            daemon.kill();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        undertaker.finish();
        http.close();
        if (healthy) {
            Directories.delete(directory);
        }
    }
}
