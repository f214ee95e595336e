package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.Ports;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * Gateways in availability mode that share their reservations, behind one address that spreads connections. A test can
 * cut what lies between any two of them, and between each of them and the API server.
 */
final class Replicas implements AutoCloseable {

    /** With this number of replicas, two are left if one is lost. */
    static final int USUAL = 3;

    /** This is long, because all are started at the same time on a machine that may be busy. */
    private static final Duration START = Duration.ofSeconds(90);

    private final KubernetesClient client;
    private final PeerCertificates certificates;
    private final List<Replica> replicas = new ArrayList<>();
    private final PeerNetwork network;
    private final ServiceDoor door;

    /**
     * @param apiServer what it calls the API server by
     * @param reachesApiServer while this is true, its requests arrive there
     * @param hearsApiServer while this is true, the answers arrive here
     */
    private record Replica(
            String pod,
            Gateway gateway,
            int peerPort,
            TcpProxy apiServer,
            AtomicBoolean reachesApiServer,
            AtomicBoolean hearsApiServer) {}

    /**
     * Started, but perhaps not ready, and not asked yet.
     *
     * @param name distinguishes them from others of the same control plane
     */
    Replicas(ControlPlane plane, AvailabilityMode mode, String name, String policy, int count) throws IOException {
        this(plane, mode, name, policy, count, Gateway.LAUNCHER);
    }

    /** The same by a launcher, which is called anew at each start. */
    Replicas(ControlPlane plane, AvailabilityMode mode, String name, String policy, int count, Path launcher)
            throws IOException {
        client = plane.client();
        certificates = PeerCertificates.in(plane.scratch("peers-of-" + name));
        List<Integer> ports = Ports.free(count);
        network = new PeerNetwork(ports);
        for (int i = 0; i < count; i++) {
            String pod = name + "-" + i;
            AtomicBoolean reaches = new AtomicBoolean(true);
            AtomicBoolean hears = new AtomicBoolean(true);
            TcpProxy apiServer = new TcpProxy(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    portOf(plane),
                    new TcpProxy.Directions(reaches::get, hears::get));
            Gateway gateway = mode.warmGateway(
                    pod,
                    policy + certificates.configuration(ports.get(i), network.advertisedAddress(i)),
                    account(plane, mode.inPod(pod), apiServer)
                            .withJavaOptions(network.javaOptions(i, certificates.directory())),
                    launcher);
            network.add(gateway);
            replicas.add(new Replica(pod, gateway, ports.get(i), apiServer, reaches, hears));
        }
        door = new ServiceDoor(all());
    }

    private static int portOf(ControlPlane plane) {
        return Integer.parseInt(plane.server().substring(plane.server().lastIndexOf(':') + 1));
    }

    private static Account account(ControlPlane plane, Account usual, TcpProxy apiServer) throws IOException {
        String pod = Objects.requireNonNull(usual.environment().get("HOSTNAME"));
        Path kubeconfig = plane.scratch("kubeconfig-of-" + pod).resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                Files.readString(Path.of(usual.kubeconfig()))
                        .replace(plane.server(), "https://127.0.0.1:" + apiServer.port()));
        return new Account(usual.name(), kubeconfig.toString(), usual.environment());
    }

    /** Waits until each replica is ready, has its connections from the Service, and is in the in-sync set. */
    @CanIgnoreReturnValue
    Replicas settled() {
        Eventually.within(START, "all replicas are in sync", () -> {
            for (Gateway gateway : all()) {
                if (!gateway.daemon().runs() || !gateway.isReady()) {
                    return false;
                }
            }
            return door.ready() == replicas.size() && inSync() == replicas.size();
        });
        return this;
    }

    /** Returns the size of the in-sync set according to the holder; 0 if nobody holds the Lease. */
    int inSync() throws IOException, InterruptedException {
        Optional<Gateway> holder = holdingNow();
        return holder.isEmpty() ? 0 : (int) holder.get().metrics().sum("gpu_webhook_replication_in_sync");
    }

    List<Gateway> all() {
        return replicas.stream().map(Replica::gateway).toList();
    }

    List<Gateway> others(Gateway than) {
        return all().stream().filter(gateway -> gateway != than).toList();
    }

    /** Returns the replica whose name is in the Lease. */
    Gateway holder() {
        return Eventually.found("a replica holds the Lease", this::holdingNow);
    }

    private Optional<Gateway> holdingNow() {
        String identity = holderIdentity();
        return replicas.stream()
                .filter(replica -> identity.startsWith(replica.pod + "_"))
                .map(Replica::gateway)
                .findFirst();
    }

    /** Returns the holder in the Lease; empty if nobody holds it. */
    String holderIdentity() {
        return Optional.ofNullable(lease())
                .map(lease -> lease.getSpec().getHolderIdentity())
                .orElse("");
    }

    /** Returns the port itself, not the port of the proxy that others call. */
    int peerPort(Gateway gateway) {
        return of(gateway).peerPort;
    }

    PeerCertificates certificates() {
        return certificates;
    }

    @SuppressWarnings("NullAway") // the client returns null for what is not there
    private Lease lease() {
        return client.leases()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .get();
    }

    /** Returns the term of the record in the Lease. */
    int term() {
        return lease().getSpec().getLeaseTransitions();
    }

    /** By somebody with the right to do so. */
    void editLease(UnaryOperator<Lease> change) {
        var _ = client.leases()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .edit(change);
    }

    /** By a holder that knows nothing of the present content. */
    void replaceLease(LeaseSpec spec) {
        deleteLease();
        var _ = client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(Account.NAMESPACE)
                        .withName("gpu-webhook")
                        .endMetadata()
                        .withSpec(spec)
                        .build())
                .create();
    }

    void deleteLease() {
        var _ = client.leases().inNamespace(Account.NAMESPACE).delete();
    }

    PeerNetwork network() {
        return network;
    }

    /** Stops all bytes between this replica and the API server. The connections stay open. */
    void cutFromApiServer(Gateway gateway) {
        Replica replica = of(gateway);
        replica.reachesApiServer.set(false);
        replica.hearsApiServer.set(false);
    }

    /** Stops the answers of the API server to this replica. What it asks for is done, and it does not know. */
    void stopAnswersOfApiServer(Gateway gateway) {
        of(gateway).hearsApiServer.set(false);
    }

    /** Lets these bytes pass again, also those that were stopped. */
    void joinToApiServer(Gateway gateway) {
        Replica replica = of(gateway);
        replica.reachesApiServer.set(true);
        replica.hearsApiServer.set(true);
    }

    private Replica of(Gateway gateway) {
        return replicas.stream()
                .filter(replica -> replica.gateway == gateway)
                .findFirst()
                .orElseThrow();
    }

    /** Where a Service would be found. */
    String url() {
        return door.url();
    }

    String authorities() {
        StringBuilder pem = new StringBuilder();
        all().forEach(gateway -> pem.append(new String(gateway.caBundle(), UTF_8)));
        return pem.toString();
    }

    /** Waits until all nodes take pods and every replica knows it. */
    void awaitNodes(Cluster cluster) {
        for (Gateway gateway : all()) {
            Reserving.awaitNodes(cluster, gateway);
        }
    }

    /** Undoes what a test did to the replicas and to the network between them. */
    void heal() {
        network.heal();
        for (Gateway gateway : all()) {
            joinToApiServer(gateway);
            if (gateway.daemon().isAlive()) {
                gateway.daemon().thaw();
            } else {
                gateway.daemon().start();
            }
        }
    }

    /** Closes the proxies. {@link AvailabilityMode} ends the gateways. */
    @Override
    public void close() {
        try {
            door.close();
            network.close();
            for (Replica replica : replicas) {
                replica.apiServer.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
