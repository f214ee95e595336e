package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/** The gateway as users run it: the packaged launcher in a process of its own, with the account of {@code k8s/base}. */
final class Gateway {

    static final Path LAUNCHER = Path.of("target", "sluice", "bin", "sluice").toAbsolutePath();
    static final Path SHIPPED_POLICY = Path.of("k8s", "base", "gateway.yaml");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpClient webhook;
    private final Account account;
    private final Path policy;
    private final String tls;
    private final String moreOfWebhook;
    private final int webhookPort;
    private final int managementPort;
    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final Path directory;
    private final Daemon daemon;

    /** Started, but perhaps not ready yet. */
    Gateway(ControlPlane plane, String name, Account account, Path policy) throws IOException {
        this(plane, name, account, policy, "");
    }

    /** The same with this section on TLS; if it is empty, with a certificate of its own in files. */
    Gateway(ControlPlane plane, String name, Account account, Path policy, String tls) throws IOException {
        this(plane, name, account, policy, tls, startedBy(LAUNCHER));
    }

    /** The same, started by a command for the directory with its configuration and certificates. */
    Gateway(
            ControlPlane plane,
            String name,
            Account account,
            Path policy,
            String tls,
            Function<Path, List<String>> command)
            throws IOException {
        this(plane, name, account, policy, tls, command, "");
    }

    private Gateway(
            ControlPlane plane,
            String name,
            Account account,
            Path policy,
            String tls,
            Function<Path, List<String>> command,
            String moreOfWebhook)
            throws IOException {
        this.account = account;
        this.policy = policy;
        this.moreOfWebhook = moreOfWebhook;
        webhook = HttpClient.newBuilder().sslContext(Trust.in(authority)).build();
        List<Integer> ports = Ports.free(2);
        webhookPort = ports.get(0);
        managementPort = ports.get(1);
        directory = plane.scratch(name);
        this.tls = tls.isEmpty() ? "{certificate: %1$s/tls.crt, key: %1$s/tls.key}".formatted(directory) : tls;
        CertifiedKey serving = anotherPair();
        Files.writeString(directory.resolve("tls.crt"), serving.certificatePem());
        Files.writeString(directory.resolve("tls.key"), serving.keyPem());
        Files.writeString(directory.resolve("gateway.yaml"), configuration());
        daemon = plane.daemon(name, command.apply(directory), environment());
    }

    /**
     * Without the reviews that warm it up, which take the processors for a second and a half. For tests that measure no
     * times.
     */
    static Gateway cold(ControlPlane plane, String name, Account account, Path policy) throws IOException {
        return new Gateway(plane, name, account, policy, "", startedBy(LAUNCHER), ", warmUpReviews: 0");
    }

    /** How this launcher is called for a directory with a configuration. */
    static Function<Path, List<String>> startedBy(Path launcher) {
        return directory -> List.of(
                launcher.toString(),
                "serve",
                "--config",
                directory.resolve("gateway.yaml").toString());
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(account.environment());
        environment.put("SLUICE_JAVA_HOME", System.getProperty("java.home"));
        return environment;
    }

    /** The policy, at this machine's addresses. */
    private String configuration() throws IOException {
        return """
            webhook: {host: 127.0.0.1, port: %d%s}
            management: {host: 127.0.0.1, port: %d}
            tls: %s
            kubernetes: {kubeconfig: %s%s}
            """.formatted(
                                webhookPort,
                                moreOfWebhook,
                                managementPort,
                                tls,
                                account.kubeconfig(),
                                account.isInItsNamespace() ? "" : ", summary: false")
                + Files.readString(policy);
    }

    Gateway ready() {
        Eventually.holds("the gateway is ready", () -> daemon.runs() && isReady());
        return this;
    }

    /** Follows these rules of injection from now on; back when it does. */
    void inject(String rules) throws IOException {
        Path file = Files.writeString(directory.resolve("rules-" + System.nanoTime() + ".json"), rules);
        reconfigure(configuration() + "injection: {file: " + file + "}\n");
    }

    /** Injects nothing any more. */
    void injectNothing() throws IOException {
        reconfigure(configuration());
    }

    private void reconfigure(String text) throws IOException {
        Path file = directory.resolve("gateway.yaml");
        if (Files.readString(file).equals(text)) {
            return;
        }
        double before = policyGeneration();
        replace("gateway.yaml", text);
        Eventually.holds("the gateway follows what was written", () -> policyGeneration() > before);
    }

    private double policyGeneration() throws IOException {
        try {
            return metrics().sum("gpu_webhook_policy_generation");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    int webhookPort() {
        return webhookPort;
    }

    int managementPort() {
        return managementPort;
    }

    String url() {
        return "https://127.0.0.1:" + webhookPort + "/mutate";
    }

    byte[] caBundle() {
        return authority.certificatePem().getBytes(UTF_8);
    }

    /** What its certificate file holds from now on. */
    void overwriteCertificate(String text) throws IOException {
        Files.writeString(directory.resolve("tls.crt"), text);
    }

    /** A pair of the authority that the API server trusts for it. */
    CertifiedKey anotherPair() {
        return authority.issue(
                new ServerCertificateNames(
                        List.of("localhost", "gpu-webhook.gpu-webhook.svc"), List.of("127.0.0.1", "::1")),
                Instant.now(),
                Duration.ofDays(1));
    }

    /** Its files hold this pair from now on. In between, the certificate and the key may not belong together. */
    void overwritePair(CertifiedKey pair) throws IOException {
        replace("tls.crt", pair.certificatePem());
        replace("tls.key", pair.keyPem());
    }

    /** Writes the configuration again, so that it is read again. */
    void rewriteConfiguration() throws IOException {
        replace("gateway.yaml", configuration() + "# " + System.nanoTime() + "\n");
    }

    private void replace(String name, String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next-" + name), text);
        var _ = Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The serial of the certificate that it shows, in hexadecimal digits. */
    String lastServed() throws IOException {
        return Handshake.serial(webhookPort);
    }

    Account account() {
        return account;
    }

    MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.of(get("/metrics").body());
    }

    /** A page of the management port, whatever its status. */
    String page(String path) throws IOException, InterruptedException {
        return get(path).body();
    }

    /** What {@code /readyz?verbose} says. */
    String readyz() throws IOException, InterruptedException {
        return get("/readyz?verbose").body();
    }

    /** A connection to the webhook whose handshake is done. */
    RawConnection connect() throws IOException {
        return new RawConnection(Trust.in(authority)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress().getHostAddress(), webhookPort));
    }

    /** Returns how much memory of the process is resident now. */
    long residentBytes() throws IOException {
        String line = Files.readAllLines(Path.of("/proc", Long.toString(daemon.pid()), "status")).stream()
                .filter(each -> each.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** Returns the processor time that the process has used. */
    Duration cpuTime() {
        return ProcessHandle.of(daemon.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }

    /** Asks about the creation of a pod as the API server does, but without it. */
    HttpResponse<String> review(Pod pod, String namespace) throws IOException, InterruptedException {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = review.putObject("request");
        request.put("uid", UUID.randomUUID().toString())
                .put("namespace", namespace)
                .put("operation", "CREATE");
        request.putObject("kind").put("group", "").put("version", "v1").put("kind", "Pod");
        request.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
        request.set("object", JSON.readTree(Serialization.asJson(pod)));
        return webhook.send(
                HttpRequest.newBuilder(URI.create(url()))
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(review.toString()))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Pods that it decided on, changed or not, and refused ones too. */
    double decisions() throws IOException, InterruptedException {
        return metrics().sum("gpu_webhook_decisions_total");
    }

    /** Reviews that reached it, whatever they were about. */
    double reviews() throws IOException, InterruptedException {
        MetricsPage page = metrics();
        return page.sum("gpu_webhook_decisions_total")
                + page.sum("gpu_webhook_pods_without_gpu_total")
                + page.sum("gpu_webhook_reviews_passed_total");
    }

    boolean isReady() throws IOException, InterruptedException {
        return get("/readyz").statusCode() == 200;
    }

    void awaitNodes(int count) {
        awaitNodes(count, Duration.ofSeconds(30));
    }

    void awaitNodes(int count, Duration patience) {
        Eventually.within(
                patience,
                "the gateway knows " + count + " nodes",
                () -> metrics().sum("gpu_webhook_snapshot_nodes") == count && isSynced());
    }

    /** It knows the nodes, and the pods as far as it may list them. */
    private boolean isSynced() throws IOException, InterruptedException {
        return metrics().sum("gpu_webhook_synced", "kind=\"nodes\"") == 1
                && (metrics().sum("gpu_webhook_synced", "kind=\"pods\"") == 1
                        || readyz().contains("the account may not list them"));
    }

    /** By node and device, what the gateway's snapshot has allocatable; {@code 0} too where the node lists it. */
    SortedMap<String, SortedMap<String, Long>> allocatable() throws IOException, InterruptedException {
        SortedMap<String, SortedMap<String, Long>> nodes = new TreeMap<>();
        for (JsonNode node : JSON.readTree(get("/api/v1/capacity").body()).path("nodes")) {
            SortedMap<String, Long> resources = new TreeMap<>();
            for (JsonNode resource : node.path("resources")) {
                String name = resource.path("resource").asText();
                if (name.contains("/")) {
                    resources.put(name, resource.path("allocatable").asLong());
                }
            }
            nodes.put(node.path("node").asText(), resources);
        }
        return nodes;
    }

    /** By node and resource, what nobody has and nobody was promised. */
    SortedMap<String, SortedMap<String, BigDecimal>> available() throws IOException, InterruptedException {
        SortedMap<String, SortedMap<String, BigDecimal>> nodes = new TreeMap<>();
        for (JsonNode node : JSON.readTree(get("/api/v1/capacity").body()).path("nodes")) {
            SortedMap<String, BigDecimal> resources = new TreeMap<>();
            node.path("resources")
                    .forEach(resource -> resources.put(
                            resource.path("resource").asText(),
                            Free.plain(resource.required("available").decimalValue())));
            nodes.put(node.path("node").asText(), resources);
        }
        return nodes;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + path))
                        .timeout(Duration.ofSeconds(5))
                        .build(),
                BodyHandlers.ofString());
    }

    String log() throws IOException {
        return Files.readString(daemon.log());
    }

    Daemon daemon() {
        return daemon;
    }

    void start() {
        daemon.start();
        var _ = ready();
    }

    /** From now on with more in the section on TLS, which is read at the start. */
    void restartWithTls(String more) throws IOException, InterruptedException {
        daemon.kill();
        Files.writeString(directory.resolve("gateway.yaml"), configuration().replace("tls: {", "tls: {" + more + ", "));
        start();
    }

    void restart() throws InterruptedException {
        kill();
        start();
    }

    /** Ends it as the kubelet does, which takes 6 s unless it is alone in availability mode. */
    void stop() throws InterruptedException {
        daemon.stop();
    }

    /** Ends it at once, for a test that is over, or that is not about the end. */
    void kill() throws InterruptedException {
        daemon.kill();
    }
}
