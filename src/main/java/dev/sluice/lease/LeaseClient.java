package dev.sluice.lease;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.kube.client.KubernetesClientFactory;
import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.ReplicationStoredRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the Lease of the gateway at the API server. Each request runs on its own thread. No request is
 * repeated, because a repeated write could take effect after its caller has given up.
 */
public final class LeaseClient implements SharedLease {

    private static final String NAME = "gpu-webhook";

    /**
     * The name of a second, empty Lease, which shows that a replica has already run. If a new process finds only this
     * Lease, the Lease of the replicas was deleted, and other replicas may still decide. If it finds neither of the
     * two, no replica has ever run.
     */
    static final String STARTED_ONCE = "gpu-webhook-started-once";

    private static final ResourceDefinitionContext LEASES = new ResourceDefinitionContext.Builder()
            .withGroup("coordination.k8s.io")
            .withVersion("v1")
            .withKind("Lease")
            .withPlural("leases")
            .withNamespaced(true)
            .build();

    private static final Executor THREADS =
            task -> Thread.ofPlatform().daemon().name("lease").start(task);

    private final KubernetesClient reading;
    private final KubernetesClient writing;
    private final String namespace;
    private final InstantSource clock;
    /**
     * The Lease as it was last read or written. A write keeps its labels, and the annotations that are not from Sluice.
     */
    private volatile GenericKubernetesResource last = lease(new ObjectMeta());
    /** True once {@link #STARTED_ONCE} exists. */
    private final AtomicBoolean marked = new AtomicBoolean();

    /**
     * Creates a client for the Lease in the namespace of the kubeconfig's context or of the pod.
     *
     * @param readTimeout the longest time for one read
     * @param writeTimeout the longest time for one write
     */
    public LeaseClient(KubernetesClient client, InstantSource clock, Duration readTimeout, Duration writeTimeout) {
        this.reading = KubernetesClientFactory.withoutRetries(client, readTimeout);
        this.writing = KubernetesClientFactory.withoutRetries(client, writeTimeout);
        this.namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
        this.clock = clock;
    }

    private static GenericKubernetesResource lease(ObjectMeta metadata) {
        GenericKubernetesResource lease = new GenericKubernetesResource();
        lease.setApiVersion("coordination.k8s.io/v1");
        lease.setKind("Lease");
        lease.setMetadata(metadata);
        return lease;
    }

    @Override
    public CompletionStage<Optional<ReplicationStoredRecord>> read() {
        return CompletableFuture.supplyAsync(
                () -> {
                    GenericKubernetesResource found = reading.genericKubernetesResources(LEASES)
                            .inNamespace(namespace)
                            .withName(NAME)
                            .get();
                    if (found == null) {
                        return Optional.empty();
                    }
                    last = found;
                    return Optional.of(LeaseFormat.read(found));
                },
                THREADS);
    }

    @Override
    public Supplier<Instant> endsByItsOwnWord() {
        GenericKubernetesResource read = last;
        return () -> LeaseFormat.endsByItsOwnWord(read);
    }

    @Override
    public CompletionStage<LeaseWriteAnswer> write(@Nullable String basis, InSyncRecord content) {
        return CompletableFuture.supplyAsync(() -> replace(basis, content), THREADS);
    }

    private LeaseWriteAnswer replace(@Nullable String basis, InSyncRecord content) {
        try {
            GenericKubernetesResource next = basis == null ? lease(named(NAME, new ObjectMeta())) : basedOn(basis);
            LeaseFormat.write(content, clock.instant(), next);
            var resource = writing.genericKubernetesResources(LEASES)
                    .inNamespace(namespace)
                    .resource(next);
            GenericKubernetesResource written = basis == null ? resource.create() : resource.update();
            last = written;
            String version = LeaseFormat.version(written.getMetadata());
            if (basis == null) {
                return new LeaseWriteAnswer.Written(version, mark());
            }
            if (!marked.get()) {
                // If an older release created the Lease, STARTED_ONCE may be missing. It is created in another thread,
                // so that the takeover does not wait for it.
                THREADS.execute(this::mark);
            }
            return new LeaseWriteAnswer.Written(version, /* first= */ false);
        } catch (KubernetesClientException failed) {
            // A 404 after a replacement means that the Lease no longer exists, so the write is refused. A 404 after a
            // creation means that the namespace is missing. That is a failure, because a refused write would be tried
            // again at once, without end.
            boolean isGone = basis != null && failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            if (isGone || failed.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return new LeaseWriteAnswer.WriteRefused();
            }
            throw failed;
        }
    }

    /**
     * Creates {@link #STARTED_ONCE}. Returns true if it did not exist before. Also returns true if the API server
     * forbids the request: a replica without this permission starts as if the Lease had not existed. Returns false if
     * the Lease already exists, or after any other failure, because it may exist then.
     */
    @CanIgnoreReturnValue
    private boolean mark() {
        try {
            var _ = writing.genericKubernetesResources(LEASES)
                    .inNamespace(namespace)
                    .resource(lease(named(STARTED_ONCE, new ObjectMeta())))
                    .create();
            marked.set(true);
            return true;
        } catch (KubernetesClientException failed) {
            if (isAboutTheMark(failed.getStatus())) {
                marked.set(true);
            }
            return failed.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
        }
    }

    private static boolean isAboutTheMark(@Nullable Status status) {
        return status != null
                && status.getDetails() != null
                && Objects.equals(status.getReason(), "AlreadyExists")
                && Objects.equals(status.getDetails().getName(), STARTED_ONCE);
    }

    private ObjectMeta named(String name, ObjectMeta metadata) {
        metadata.setNamespace(namespace);
        metadata.setName(name);
        return metadata;
    }

    /**
     * Returns a Lease for replacing the version {@code basis}. Its uid is set. Without the uid, the write would create
     * the Lease again if it was deleted in the meantime.
     */
    private GenericKubernetesResource basedOn(String basis) {
        GenericKubernetesResource known = last;
        ObjectMeta metadata = LeaseFormat.version(known.getMetadata()).equals(basis)
                ? new ObjectMetaBuilder(known.getMetadata()).withManagedFields().build()
                : new ObjectMeta();
        metadata.setUid(LeaseFormat.uid(basis));
        metadata.setResourceVersion(LeaseFormat.resourceVersion(basis));
        GenericKubernetesResource next = lease(named(NAME, metadata));
        Object spec = known.getAdditionalProperties().get("spec");
        if (spec != null) {
            next.setAdditionalProperty("spec", spec);
        }
        return next;
    }

    @Override
    public String toString() {
        return "lease " + namespace + "/" + NAME;
    }
}
