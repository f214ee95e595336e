package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.client.KubernetesClientFactory;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.PodStateDecoder;
import dev.sluice.kube.watch.PodReflectorAccess;
import dev.sluice.kube.watch.WatcherVerticle;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.StringReader;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the watch tells of pods, held against what the API server lists, through all that happens to pods. */
@AgainstControlPlane
class PodWatchIT {

    private static final String GPU = "nvidia.com/gpu";

    private final Vertx vertx = Vertx.vertx();
    private final List<PodEvent> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeBus() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void tellsOfPodsExactlyWhatAFreshListHolds(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "8"));
        var _ = cluster.create(Pods.asking("early", GPU)).pod();
        cluster.awaitPhase("Running", 1);
        Topic.install(vertx);
        Topic.CLUSTER_EVENTS.subscribe(vertx, event -> {
            if (event instanceof PodEvent pod) {
                told.add(pod);
            }
        });
        try (KubernetesClient client =
                KubernetesClientFactory.open(cluster.plane().kubeconfig(), null, KubeconfigAdvice.OPTIONS)) {
            String watcher = vertx.deployVerticle(
                            new WatcherVerticle(client, InstantSource.system(), PodReflectorAccess.REQUIRED))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
            follow(cluster);
            vertx.undeploy(watcher).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
    }

    private void follow(Cluster cluster) throws Exception {
        awaitSame(cluster);
        for (String name : List.of("stays", "grows", "goes", "finishes")) {
            var _ = cluster.create(Pods.asking(name, GPU)).pod();
        }
        var _ = cluster.create(Pods.asking("waits", GPU, 8)).pod();
        cluster.awaitPhase("Running", 5);
        awaitSame(cluster);
        PodId gone = id(cluster, "goes");
        PodId finished = id(cluster, "finishes");
        cluster.delete(cluster.namespace(), "goes");
        finish(cluster, "finishes");
        resize(cluster, "grows");
        awaitSame(cluster);
        assertThat(told)
                .filteredOn(PodEvent.PodRemoved.class::isInstance)
                .extracting(event -> ((PodEvent.PodRemoved) event).id())
                .containsExactlyInAnyOrder(gone, finished);
        assertThat(known().values()).anySatisfy(pod -> assertThat(pod.place()).isInstanceOf(Pod.Place.Unbound.class));
        Amounts held = held("worker");
        assertThat(held.get(ResourceName.NVIDIA_GPU)).as("early, stays, grows").isEqualTo(3);
        assertThat(held.get(ResourceName.CPU)).as("what grows has been given").isEqualTo(3_000);
        assertThat(held.get(ResourceName.PODS)).isEqualTo(3);
        assertThat(told).filteredOn(PodEvent.ListEnded.class::isInstance).hasSize(1);
        Eventually.holds("the moment up to which pods are synced is published", () -> {
            // Where nothing happens to pods, the next bookmark may be a minute away.
            touch(cluster, "stays");
            return told.stream().anyMatch(PodEvent.PodsSyncedUpTo.class::isInstance);
        });
    }

    private static void touch(Cluster cluster, String name) {
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName(name)
                .edit(pod -> {
                    pod.getMetadata().setLabels(Map.of("touched", Long.toString(System.nanoTime())));
                    return pod;
                });
    }

    private static PodId id(Cluster cluster, String name) {
        return PodId.of(cluster.pod(name).getMetadata().getUid());
    }

    private static void finish(Cluster cluster, String name) {
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName(name)
                .editStatus(pod -> {
                    pod.getStatus().setPhase("Succeeded");
                    return pod;
                });
    }

    /** As a kubelet that has been given more for a pod than its spec says. */
    private static void resize(Cluster cluster, String name) {
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName(name)
                .editStatus(pod -> {
                    ContainerStatus status =
                            pod.getStatus().getContainerStatuses().getFirst();
                    status.setAllocatedResources(Map.of("cpu", new Quantity("2")));
                    status.setResources(new ResourceRequirementsBuilder()
                            .withRequests(Map.of("cpu", new Quantity("3")))
                            .build());
                    return pod;
                });
    }

    /** By what was told. */
    private Map<PodId, Pod> known() {
        Map<PodId, Pod> known = new HashMap<>();
        for (PodEvent event : told) {
            switch (event) {
                case PodEvent.ListBegun _ -> known.clear();
                case PodEvent.PodsPage page -> page.pods().forEach(pod -> known.put(pod.id(), pod));
                case PodEvent.PodSeen seen -> known.put(seen.pod().id(), seen.pod());
                case PodEvent.PodRemoved removed -> known.remove(removed.id());
                case PodEvent.ListEnded _, PodEvent.PodsBookmark _, PodEvent.PodsSyncedUpTo _ -> {}
            }
        }
        return known;
    }

    private void awaitSame(Cluster cluster) {
        Eventually.holds(
                "what was told equals a fresh list",
                () -> told.stream().anyMatch(PodEvent.ListEnded.class::isInstance) && known().equals(listed(cluster)));
    }

    private static Map<PodId, Pod> listed(Cluster cluster) throws IOException, InterruptedException {
        String path = "/api/v1/pods?fieldSelector=status.phase!=Succeeded,status.phase!=Failed";
        Map<PodId, Pod> listed = new HashMap<>();
        try (JsonParser parser = JsonParsers.json(
                new StringReader(cluster.plane().api().get(path).body()))) {
            var _ = new ListDecoder<>(new PodStateDecoder()).read(parser, item -> {
                if (item instanceof ObjectDecodeResult.Found<Pod> found) {
                    listed.put(found.value().id(), found.value());
                } else {
                    throw new AssertionError(item);
                }
            });
        }
        return listed;
    }

    private Amounts held(String node) {
        Amounts sum = Amounts.NONE;
        for (Pod pod : known().values()) {
            if (pod.place().equals(new Pod.Place.Bound(node))) {
                sum = sum.plus(pod.requests());
            }
        }
        return sum;
    }
}
