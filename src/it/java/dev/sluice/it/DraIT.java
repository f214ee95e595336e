package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.ledger.Ledger;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GPUs that DRA hands out under resource names, judged by what the scheduler binds. No driver is needed for that. */
@AgainstControlPlane
class DraIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String ONE = "nvidia.com/mig-1g.10gb";
    private static final String THREE = "nvidia.com/mig-3g.40gb";
    private static final String API = "resource.k8s.io/v1";
    private static final String ALL = "nodes,pods,deviceclasses,resourceslices,resourceclaims";

    @TempDir
    private Path scratch;

    /** As on a cluster half way to DRA: a slice must not be exchanged for a whole GPU. */
    @Test
    void theGatewayKnowsWhatDraOffers(Cluster cluster) throws Exception {
        cluster.node("plugin", Map.of(GPU, "8"));
        cluster.node("dra", Map.of());
        try {
            assertThat(Pods.limits(cluster.dryRun(Pods.asking("small", ONE)).pod()))
                    .isEqualTo("{" + GPU + "=1}");
            apply(cluster, deviceClass("mig-1g", ONE, "profile", "1g.10gb"));
            apply(cluster, slice("dra", "dra", List.of(device("mig-0", "profile", "1g.10gb"))));
            Eventually.holds(
                    "the gateway knows the slice",
                    () -> Pods.limits(cluster.dryRun(Pods.asking("small", ONE)).pod())
                            .equals("{" + ONE + "=1}"));
            assertThat(Pods.limits(cluster.dryRun(Pods.asking("two", ONE, 2)).pod()))
                    .isEqualTo("{" + GPU + "=2}");
        } finally {
            clear(cluster);
        }
        Eventually.holds(
                "the gateway knows that the class is gone",
                () -> Pods.limits(cluster.dryRun(Pods.asking("small", ONE)).pod())
                        .equals("{" + GPU + "=1}"));
    }

    /** Each step asks Sluice whether a pod fits a node, and then the scheduler. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void whatIsFreeIsWhatTheSchedulerBinds(int seed, Cluster cluster) throws Exception {
        Random random = new Random(seed);
        List<String> told = new ArrayList<>();
        try {
            List<String> nodes = furnish(cluster, random);
            Reserving.awaitNodes(cluster, cluster.gateway());
            for (int step = 0; step < 14; step++) {
                String node = nodes.get(random.nextInt(nodes.size()));
                String name = List.of(GPU, ONE, THREE).get(random.nextInt(3));
                int count = 1 + random.nextInt(3);
                Ledger ledger = snapshot(cluster).ledger();
                Amounts need = Amounts.of(new ResourceName(name), count);
                NodeConstraints there = NodeConstraints.onNode(node);
                assertThat(ledger.mayBeFree(need, there) && !ledger.isFree(need, there))
                        .as("nothing is uncertain: " + told)
                        .isFalse();
                boolean expected = ledger.isFree(need, there);
                told.add(count + " " + name + " on " + node + ": " + expected);
                boolean byClaim = random.nextInt(4) == 0;
                assertThat(byClaim ? boundByClaim(cluster, step, node) : bound(cluster, step, node, name, count))
                        .as("seed " + seed + ": " + told)
                        .isEqualTo(byClaim ? isGpuFreeByDra(ledger, node) : expected);
            }
        } finally {
            clear(cluster);
        }
    }

    /** Another pod takes a GPU by a claim of its own, and asks for no resource name. */
    @Test
    void whatClaimsHaveIsNotFree(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "dra", Map.of());
        try {
            apply(cluster, deviceClass("gpu", GPU, "type", "gpu"));
            apply(
                    cluster,
                    slice("dra", "dra", List.of(device("gpu-0", "type", "gpu"), device("gpu-1", "type", "gpu"))));
            awaitWarnings(cluster, 2, List.of());
            assertThat(boundByClaim(cluster, 0, "dra")).isTrue();
            awaitWarnings(
                    cluster,
                    2,
                    List.of("container main: fewer than 2 " + GPU
                            + " are free (1 of 2 on 1 node); the pod waits for them"));
            assertThat(cluster.create(Pods.asking("by-name", GPU)).warnings()).isEmpty();
            cluster.awaitPhase("Running", 2);
            awaitWarnings(
                    cluster,
                    1,
                    List.of("container main: no " + GPU + " is free (0 of 2 on 1 node); the pod waits for it"));
        } finally {
            clear(cluster);
        }
    }

    private static void awaitWarnings(Cluster cluster, int gpus, List<String> expected) {
        Eventually.holds(expected + " is said of " + gpus + " GPUs", () -> {
            Api.Answer answer = cluster.dryRun(Pods.asking("probe", GPU, gpus));
            return answer.status() == 201 && answer.warnings().equals(expected);
        });
    }

    /** An explicit claim takes devices even from a node whose plugin offers the name. */
    private static boolean isGpuFreeByDra(Ledger ledger, String node) {
        return ledger.isFree(
                Amounts.of(new ResourceName("deviceclass.resource.kubernetes.io/gpu"), 1),
                NodeConstraints.onNode(node));
    }

    private static boolean bound(Cluster cluster, int step, String node, String name, int count) throws Exception {
        return isBound(cluster, pinned(Pods.asking("pod-" + step, name, count), node));
    }

    private static boolean boundByClaim(Cluster cluster, int step, String node) throws Exception {
        apply(
                cluster,
                Map.of(
                        "apiVersion",
                        API,
                        "kind",
                        "ResourceClaim",
                        "metadata",
                        Map.of("name", "claim-" + step, "namespace", cluster.namespace()),
                        "spec",
                        Map.of(
                                "devices",
                                Map.of(
                                        "requests",
                                        List.of(Map.of("name", "r", "exactly", Map.of("deviceClassName", "gpu")))))));
        Pod plain = pinned(Pods.plain("pod-" + step), node);
        return isBound(
                cluster,
                new PodBuilder(plain)
                        .editSpec()
                        .addNewResourceClaim()
                        .withName("c")
                        .withResourceClaimName("claim-" + step)
                        .endResourceClaim()
                        .endSpec()
                        .build());
    }

    /** A pod that the gateway leaves as it is. */
    private static Pod pinned(Pod pod, String node) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations("gpu-webhook.k8s.io/fallback-mode", "keep")
                .endMetadata()
                .editSpec()
                .addToNodeSelector("kubernetes.io/hostname", node)
                .endSpec()
                .build();
    }

    /** Returns whether the scheduler binds the pod. A pod that it does not bind is deleted. */
    private static boolean isBound(Cluster cluster, Pod pod) throws Exception {
        String name = cluster.create(pod).pod().getMetadata().getName();
        Eventually.holds("the scheduler has decided about " + name, () -> {
            Pod now = cluster.pod(name);
            return now.getSpec().getNodeName() != null
                    || Cluster.unschedulable(now).isPresent();
        });
        boolean bound = cluster.pod(name).getSpec().getNodeName() != null;
        if (!bound) {
            cluster.delete(cluster.namespace(), name);
        }
        return bound;
    }

    private ClusterContents snapshot(Cluster cluster) throws Exception {
        Path file = Files.writeString(
                scratch.resolve("cluster.json"),
                cluster.plane().kubectl("get", ALL, "-A", "-o", "json").output());
        SnapshotFile.SnapshotContents contents = SnapshotFile.read(file);
        return new ClusterContents(contents.nodes(), contents.pods(), LeftOut.NOTHING, contents.dra());
    }

    /** Nodes with a plugin, with DRA, and with both; whole GPUs, slices, and GPUs that can be divided. */
    private static List<String> furnish(Cluster cluster, Random random) {
        apply(cluster, deviceClass("gpu", GPU, "type", "gpu"));
        apply(cluster, deviceClass("mig-1g", ONE, "profile", "1g.10gb"));
        apply(cluster, deviceClass("mig-3g", THREE, "profile", "3g.40gb"));
        // With a claim in it, the snapshot tells what all claims have.
        apply(
                cluster,
                Map.of(
                        "apiVersion",
                        API,
                        "kind",
                        "ResourceClaim",
                        "metadata",
                        Map.of("name", "unused", "namespace", cluster.namespace()),
                        "spec",
                        Map.of()));
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String node = "n" + i;
            nodes.add(node);
            int sort = random.nextInt(5);
            switch (sort) {
                case 0 -> cluster.addNode(node, Map.of(GPU, "2", ONE, "3"));
                case 1 -> cluster.addNode(node, Map.of(GPU, "0"));
                case 2 -> cluster.addNode(node, Map.of(GPU, "1"));
                default -> cluster.addNode(node, Map.of());
            }
            if (sort == 3) {
                divided(cluster, node);
            } else if (sort > 0) {
                whole(cluster, node, random);
            }
        }
        // A pool that any node can use.
        Map<String, Object> spec = spec("network", 1);
        spec.put("allNodes", true);
        spec.put("devices", List.of(device("far-0", "type", "gpu")));
        apply(cluster, object("ResourceSlice", "network", spec));
        return nodes;
    }

    private static void whole(Cluster cluster, String node, Random random) {
        List<Map<String, Object>> devices = new ArrayList<>();
        int gpus = 1 + random.nextInt(3);
        for (int i = 0; i < gpus; i++) {
            Map<String, Object> device = device("gpu-" + i, "type", "gpu");
            if (random.nextInt(4) == 0) {
                device.put("taints", List.of(Map.of("key", "broken", "effect", "NoSchedule")));
            }
            devices.add(device);
        }
        if (random.nextBoolean()) {
            devices.add(device("mig-0", "profile", "1g.10gb"));
        }
        apply(cluster, slice(node, node, devices));
    }

    private static void divided(Cluster cluster, String node) {
        List<Map<String, Object>> devices = new ArrayList<>();
        devices.add(consuming(device("gpu-0", "type", "gpu"), 8));
        IntStream.range(0, 2).forEach(i -> devices.add(consuming(device("mig-3g-" + i, "profile", "3g.40gb"), 4)));
        IntStream.range(0, 4).forEach(i -> devices.add(consuming(device("mig-1g-" + i, "profile", "1g.10gb"), 1)));
        Map<String, Object> counters = spec(node, 2);
        counters.put("nodeName", node);
        counters.put(
                "sharedCounters", List.of(Map.of("name", "gpu-0", "counters", Map.of("slices", Map.of("value", "8")))));
        apply(cluster, object("ResourceSlice", node + "-counters", counters));
        Map<String, Object> spec = spec(node, 2);
        spec.put("nodeName", node);
        spec.put("devices", devices);
        apply(cluster, object("ResourceSlice", node + "-devices", spec));
    }

    private static Map<String, Object> consuming(Map<String, Object> device, int slices) {
        device.put(
                "consumesCounters",
                List.of(Map.of(
                        "counterSet",
                        "gpu-0",
                        "counters",
                        Map.of("slices", Map.of("value", Integer.toString(slices))))));
        return device;
    }

    private static Map<String, Object> deviceClass(String name, String resource, String attribute, String value) {
        String expression = "device.driver == 'gpu.nvidia.com' && '" + attribute
                + "' in device.attributes['gpu.nvidia.com'] && device.attributes['gpu.nvidia.com']." + attribute
                + " == '" + value + "'";
        return object(
                "DeviceClass",
                name,
                Map.of(
                        "extendedResourceName",
                        resource,
                        "selectors",
                        List.of(Map.of("cel", Map.of("expression", expression)))));
    }

    private static Map<String, Object> slice(String name, String node, List<Map<String, Object>> devices) {
        Map<String, Object> spec = spec(node, 1);
        spec.put("nodeName", node);
        spec.put("devices", devices);
        return object("ResourceSlice", name, spec);
    }

    private static Map<String, Object> spec(String pool, int slices) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("driver", "gpu.nvidia.com");
        spec.put("pool", Map.of("name", pool, "generation", 1, "resourceSliceCount", slices));
        return spec;
    }

    private static Map<String, Object> device(String name, String attribute, String value) {
        Map<String, Object> device = new LinkedHashMap<>();
        device.put("name", name);
        device.put("attributes", Map.of(attribute, Map.of("string", value)));
        return device;
    }

    private static Map<String, Object> object(String kind, String name, Map<String, Object> spec) {
        return Map.of("apiVersion", API, "kind", kind, "metadata", Map.of("name", name), "spec", spec);
    }

    private static void apply(Cluster cluster, Map<String, Object> object) {
        cluster.plane().apply(Serialization.asJson(object));
    }

    private static void clear(Cluster cluster) {
        var _ = cluster.plane()
                .kubectl("delete", "pods", "--all", "-n", cluster.namespace(), "--grace-period=0", "--force")
                .output();
        var _ = cluster.plane()
                .kubectl("delete", "resourceclaims", "--all", "-n", cluster.namespace())
                .output();
        var _ = cluster.plane()
                .kubectl("delete", "deviceclasses,resourceslices", "--all")
                .output();
    }
}
