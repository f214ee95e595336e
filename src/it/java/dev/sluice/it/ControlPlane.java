package dev.sluice.it;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** A control plane on loopback: started by the constructor, ready when that returns. Has one owner. */
final class ControlPlane {

    private static final Path SOURCES = Path.of("src", "it").toAbsolutePath();
    private static final Path RUNS = Path.of("target", "it-run").toAbsolutePath();
    private static final Path LOGS = Path.of("target", "it-logs").toAbsolutePath();
    private static final Duration LIFETIME = Duration.ofDays(2);
    private static final String ADMIN_TOKEN = "admin";

    private final Programs programs = Programs.built();
    private final Undertaker undertaker = new Undertaker();
    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), LIFETIME);
    private final Path run;
    private final Path logs;
    private final List<Daemon> daemons = new ArrayList<>();
    private final List<Daemon> controllers = new ArrayList<>();
    private final List<Start> starts = new ArrayList<>();
    private final String etcdAddress;
    private final String server;
    private final Daemon apiServer;
    private final Api api;
    private final KubernetesClient client;

    private ControlPlane(String name) throws IOException {
        run = Files.createDirectories(RUNS.resolve(name));
        logs = Files.createDirectories(LOGS.resolve(String.valueOf(run.getFileName())));
        List<Integer> ports = Ports.free(3);
        etcdAddress = "http://127.0.0.1:" + ports.get(0);
        server = "https://127.0.0.1:" + ports.get(2);
        writeCredentials();
        api = Api.to(server, ADMIN_TOKEN, Trust.in(authority));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig())))
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
        var _ = start("etcd", etcdFlags("http://127.0.0.1:" + ports.get(1)));
        apiServer = start("kube-apiserver", apiServerFlags(ports.get(2)));
        awaitApiServer();
        startControllers();
    }

    /** Has nothing in common with those of other names. */
    static ControlPlane named(String name) throws IOException {
        return new ControlPlane(ProcessHandle.current().pid() + "-" + name);
    }

    private void writeCredentials() throws IOException {
        write("ca.crt", authority.certificatePem());
        CertifiedKey serving = authority.issue(
                new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1")), Instant.now(), LIFETIME);
        write("apiserver.crt", serving.certificatePem());
        write("apiserver.key", serving.keyPem());
        // Only the key matters: with it service accounts' tokens are signed.
        CertifiedKey tokens =
                authority.issue(new ServerCertificateNames(List.of("tokens.test"), List.of()), Instant.now(), LIFETIME);
        write("tokens.crt", tokens.certificatePem());
        write("tokens.key", tokens.keyPem());
        write("tokens.csv", ADMIN_TOKEN + ",admin,admin,system:masters\n");
        write("kubeconfig", Kubeconfig.withToken(server, authority.certificatePem(), ADMIN_TOKEN));
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(run.resolve(name), content);
    }

    private List<String> etcdFlags(String peers) {
        return List.of(
                "--data-dir=" + run.resolve("etcd"),
                "--unsafe-no-fsync",
                "--log-level=error",
                "--listen-client-urls=" + etcdAddress,
                "--advertise-client-urls=" + etcdAddress,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers);
    }

    private List<String> apiServerFlags(int port) {
        return List.of(
                "--etcd-servers=" + etcdAddress,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--tls-cert-file=" + run.resolve("apiserver.crt"),
                "--tls-private-key-file=" + run.resolve("apiserver.key"),
                "--token-auth-file=" + run.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://localhost",
                "--service-account-key-file=" + run.resolve("tokens.crt"),
                "--service-account-signing-key-file=" + run.resolve("tokens.key"),
                "--service-cluster-ip-range=10.96.0.0/16",
                "--endpoint-reconciler-type=none",
                "--enable-admission-plugins=ExtendedResourceToleration",
                "--audit-policy-file=" + SOURCES.resolve("audit-policy.yaml"),
                "--audit-log-path=" + auditLog());
    }

    /** An API server beside the first, of the same cluster. */
    record ApiServer(Daemon daemon, Api api) {}

    /**
     * Ready, with these flags too; it ends with this control plane, or before it. It does without the plugin that adds
     * a toleration for each resource: that takes minutes for a pod with tens of thousands of them.
     */
    ApiServer anotherApiServer(String name, List<String> flags) {
        int port = Ports.free(1).getFirst();
        List<String> all = new ArrayList<>(apiServerFlags(port));
        all.removeIf(flag -> flag.startsWith("--enable-admission-plugins"));
        all.add("--audit-log-path=" + logs.resolve(name + "-audit.log"));
        all.addAll(flags);
        List<String> words = Stream.concat(
                        Stream.of(programs.of("kube-apiserver").toString()), all.stream())
                .toList();
        Daemon daemon = daemon(name, words, Map.of());
        Api other = Api.to("https://127.0.0.1:" + port, ADMIN_TOKEN, Trust.in(authority));
        Eventually.within(
                Duration.ofSeconds(90),
                name + " is ready",
                () -> daemon.runs() && other.get("/readyz").status() == 200);
        return new ApiServer(daemon, other);
    }

    private void startControllers() {
        String kubeconfig = "--kubeconfig=" + kubeconfig();
        controllers.add(start("kube-scheduler", List.of(kubeconfig, "--leader-elect=false", "--secure-port=0")));
        controllers.add(start("kube-controller-manager", controllerManagerFlags(kubeconfig)));
        controllers.add(start(
                "kwok",
                List.of(
                        kubeconfig,
                        "--config=" + SOURCES.resolve("stages.yaml"),
                        "--manage-all-nodes=true",
                        "--node-lease-duration-seconds=40")));
        Eventually.holds(
                "service accounts are made",
                () -> daemons.stream().allMatch(Daemon::runs)
                        && api.get("/api/v1/namespaces/default/serviceaccounts/default")
                                        .status()
                                == 200);
    }

    private List<String> controllerManagerFlags(String kubeconfig) {
        return List.of(
                kubeconfig,
                "--leader-elect=false",
                "--secure-port=0",
                "--service-account-private-key-file=" + run.resolve("tokens.key"),
                "--root-ca-file=" + run.resolve("ca.crt"));
    }

    private Daemon start(String name, List<String> flags) {
        List<String> words = Stream.concat(Stream.of(programs.of(name).toString()), flags.stream())
                .toList();
        return daemon(name, words, Map.of());
    }

    /** Starts a program that ends with this control plane, or before it. */
    Daemon daemon(String name, List<String> words, Map<String, String> environment) {
        Daemon daemon = new Daemon(undertaker, logs.resolve(name + ".log"), words, environment);
        daemons.add(daemon);
        daemon.start();
        return daemon;
    }

    private void awaitApiServer() {
        Eventually.holds(
                "the API server is ready",
                () -> apiServer.runs() && api.get("/readyz").status() == 200);
    }

    /** Without a word to anybody; what it stored stays. */
    void killApiServer() throws InterruptedException {
        apiServer.kill();
    }

    void startApiServer() throws InterruptedException {
        Instant begin = Instant.now();
        apiServer.start();
        awaitApiServer();
        starts.add(new Start(begin, Instant.now()));
        restartControllers();
    }

    /** Left to themselves they come back half a minute later, so long do their clients pause by then. */
    private void restartControllers() throws InterruptedException {
        for (Daemon controller : controllers) {
            controller.kill();
            controller.start();
        }
    }

    /** Until its authorizer has read the roles, an API server forbids everything to everybody. */
    boolean wasStarting(Instant at) {
        return starts.stream().anyMatch(start -> at.isAfter(start.begin()) && at.isBefore(start.ready()));
    }

    private record Start(Instant begin, Instant ready) {}

    /** Nothing older than now can be watched from after this. */
    void compactEtcd() throws IOException, InterruptedException {
        Etcd.compact(etcdAddress);
    }

    KubernetesClient client() {
        return client;
    }

    Api api() {
        return api;
    }

    /** The kubectl that belongs to this version, as the administrator. */
    Command kubectl(String... words) {
        return Command.in(
                Path.of("."),
                Stream.concat(
                                Stream.of(programs.of("kubectl").toString(), "--kubeconfig=" + kubeconfig()),
                                Stream.of(words))
                        .toList());
    }

    /** Applies these objects as the administrator. */
    void apply(String objects) {
        var _ = kubectl("apply", "-f", "-").reading(objects).output();
    }

    String server() {
        return server;
    }

    /** For clients of this JVM. */
    SSLContext trust() {
        return Trust.in(authority);
    }

    String caPem() {
        return authority.certificatePem();
    }

    Path kubeconfig() {
        return run.resolve("kubeconfig");
    }

    Path auditLog() {
        return logs.resolve("audit.log");
    }

    /** A place for files that nobody needs afterwards. */
    Path scratch(String name) throws IOException {
        return Files.createDirectories(run.resolve(name));
    }

    /** At once: what it stored is thrown away, and an API server without its etcd would not end when asked. */
    void stop() throws IOException, InterruptedException {
        client.close();
        for (Daemon daemon : daemons.reversed()) {
            daemon.kill();
        }
        undertaker.finish();
        Directories.delete(run);
    }

    /** Nothing failed, so nobody will read them. */
    void forgetLogs() throws IOException {
        Directories.delete(logs);
    }
}
