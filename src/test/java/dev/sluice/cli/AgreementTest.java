package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the gateway, {@code explain} and {@code capacity} count, and what the doctor says of a pod that waits, is the
 * same in random clusters with and without DRA.
 */
class AgreementTest {

    private static final int CLUSTERS = 600;
    private static final String DRIVER = "gpu.nvidia.com";
    private static final String GPU = "nvidia.com/gpu";
    private static final List<String> NAMES =
            List.of(GPU, "nvidia.com/mig-1g.10gb", "deviceclass.resource.kubernetes.io/" + DRIVER);

    /** These say that no waiting helps, because nobody offers as much. */
    private static final Set<DiagnosisCode> NEVER = Set.of(
            DiagnosisCode.NO_GPU_NODES,
            DiagnosisCode.NEVER_FITS_ONE_NODE,
            DiagnosisCode.UNKNOWN_PROFILE,
            DiagnosisCode.DRA_CLAIM_UNSATISFIED);

    @TempDir
    private Path directory;

    @Test
    void theDoctorSaysOfAPodThatWaitsWhatTheGatewayCounts() throws Exception {
        Map<DiagnosisCode, Integer> seen = new EnumMap<>(DiagnosisCode.class);
        for (int seed = 0; seed < CLUSTERS; seed++) {
            RandomCluster cluster = new RandomCluster(seed);
            Path file = Files.writeString(directory.resolve("cluster.json"), cluster.json());
            SnapshotFile.SnapshotContents contents = SnapshotFile.read(file);
            List<Pod> bound = contents.pods().stream()
                    .filter(pod -> pod.place() instanceof Pod.Place.Bound)
                    .toList();
            Ledger ledger = new ClusterContents(contents.nodes(), bound, LeftOut.NOTHING, contents.dra()).ledger();
            ClusterSnapshot snapshot = ledger.snapshot();
            Amounts need = Amounts.of(new ResourceName(cluster.asked), cluster.amount);
            boolean offered = snapshot.offers(need, NodeConstraints.NONE);
            boolean free = ledger.isFree(need, NodeConstraints.NONE);

            ClusterFacts facts = FactsFiles.read(List.of(file));
            assertThat(facts.dra().state().claims())
                    .as("seed " + seed)
                    .isEqualTo(contents.dra().claims());
            // Without claims, the gateway does not know whether the devices of DRA are free. The doctor then finds no
            // fault.
            boolean mayBeFree =
                    !contents.dra().claims().isKnown() && offered && ledger.mayBeFree(need, NodeConstraints.NONE);

            PodDiagnosis verdict = Diagnosis.of(facts).pods().stream()
                    .filter(pod -> pod.name().equals("waits"))
                    .findFirst()
                    .orElseThrow();

            DiagnosisCode code = verdict.verdict().orElseThrow();
            String told = "seed " + seed + ", offered " + offered + ", free " + free + ": " + verdict.explanation();
            seen.merge(code, 1, Integer::sum);
            assertThat(code == DiagnosisCode.HEALTHY).as(told).isEqualTo(free || mayBeFree);
            assertThat(offered && NEVER.contains(code)).as(told).isFalse();
            assertThat(!offered && (code == DiagnosisCode.ALL_USED || code == DiagnosisCode.FRAGMENTED))
                    .as(told)
                    .isFalse();
        }
        assertThat(seen.keySet())
                .contains(
                        DiagnosisCode.HEALTHY,
                        DiagnosisCode.ALL_USED,
                        DiagnosisCode.FRAGMENTED,
                        DiagnosisCode.NEVER_FITS_ONE_NODE,
                        DiagnosisCode.DRA_CLAIM_UNSATISFIED,
                        DiagnosisCode.CONSTRAINT_MISMATCH);
    }

    /** Some nodes with a device plugin, with DRA or with nothing, pods that hold devices, and one pod that waits. */
    private static final class RandomCluster {

        private final Random random;
        private final List<Map<String, Object>> items = new ArrayList<>();
        private final String asked;
        private final long amount;
        private final boolean withClaims;

        RandomCluster(int seed) {
            random = new Random(seed);
            boolean hasClass = random.nextInt(3) > 0;
            // The doctor leaves a pod alone that asks for the implicit name of a class that does not exist.
            asked = NAMES.get(random.nextInt(random.nextInt(3) > 0 ? 1 : hasClass ? 3 : 2));
            amount = 1L + random.nextInt(4);
            if (hasClass) {
                items.add(object("resource.k8s.io/v1", "DeviceClass", Map.of("name", DRIVER), deviceClass()));
            }
            // A file without any claim does not tell what claims have.
            withClaims = random.nextInt(4) > 0;
            if (withClaims) {
                claim("unused", "", List.of(), List.of());
            }
            int nodes = 1 + random.nextInt(4);
            for (int i = 0; i < nodes; i++) {
                switch (random.nextInt(3)) {
                    case 0 -> plugin("n" + i);
                    case 1 -> byDra("n" + i);
                    default -> node("n" + i, Map.of(), Map.of());
                }
            }
            pod("waits", "", Map.of(asked, Long.toString(amount)));
        }

        private Map<String, Object> deviceClass() {
            Map<String, Object> spec = new HashMap<>();
            if (random.nextInt(4) > 0) {
                spec.put("extendedResourceName", GPU);
            }
            spec.put("selectors", List.of(Map.of("cel", Map.of("expression", "device.driver == '" + DRIVER + "'"))));
            return spec;
        }

        private void plugin(String name) {
            int capacity = random.nextInt(5);
            int allocatable = random.nextInt(4) == 0 ? random.nextInt(capacity + 1) : capacity;
            int slices = random.nextInt(3) == 0 ? 4 : 0;
            node(
                    name,
                    Map.of(GPU, "" + capacity, NAMES.get(1), "" + slices),
                    Map.of(GPU, "" + allocatable, NAMES.get(1), "" + slices));
            hold(name, GPU, allocatable);
            hold(name, NAMES.get(1), slices);
        }

        private void hold(String node, String resource, int most) {
            int held = most == 0 ? 0 : random.nextInt(most + 1);
            if (held > 0) {
                pod("holds-" + node + "-" + items.size(), node, Map.of(resource, "" + held));
            }
        }

        private void byDra(String name) {
            node(name, random.nextBoolean() ? Map.of(GPU, "0") : Map.of(), Map.of());
            int count = 1 + random.nextInt(4);
            List<Map<String, Object>> devices = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Map<String, Object> device = new HashMap<>();
                device.put("name", "gpu-" + i);
                if (random.nextInt(6) == 0) {
                    device.put("taints", List.of(Map.of("key", "broken", "effect", "NoSchedule")));
                }
                devices.add(device);
            }
            int parts = random.nextInt(8) == 0 ? 2 : 1;
            items.add(object(
                    "resource.k8s.io/v1",
                    "ResourceSlice",
                    Map.of("name", name),
                    Map.of(
                            "driver",
                            DRIVER,
                            "nodeName",
                            name,
                            "pool",
                            Map.of("name", name, "generation", 1, "resourceSliceCount", parts),
                            "devices",
                            devices)));
            for (int i = 0; i < count; i++) {
                if (withClaims && random.nextInt(3) == 0) {
                    String user = "uses-" + name + "-" + i;
                    boolean byName = random.nextBoolean();
                    claim(
                            "of-" + user,
                            byName ? user : "",
                            List.of(user),
                            List.of(Map.of("request", "r", "driver", DRIVER, "pool", name, "device", "gpu-" + i)));
                    pod(user, name, byName ? Map.of(GPU, "1") : Map.of());
                }
            }
        }

        private void claim(String name, String ofPod, List<String> users, List<Map<String, String>> devices) {
            Map<String, Object> metadata = new HashMap<>(Map.of("namespace", "ml", "name", name));
            if (!ofPod.isEmpty()) {
                metadata.put("annotations", Map.of("resource.kubernetes.io/extended-resource-claim", "true"));
                metadata.put("ownerReferences", List.of(Map.of("kind", "Pod", "name", ofPod, "controller", true)));
            }
            Map<String, Object> claim =
                    object("resource.k8s.io/v1", "ResourceClaim", metadata, Map.of("devices", Map.of()));
            if (!devices.isEmpty()) {
                claim.put(
                        "status",
                        Map.of(
                                "allocation",
                                Map.of("devices", Map.of("results", devices)),
                                "reservedFor",
                                users.stream()
                                        .map(user -> Map.of("resource", "pods", "name", user))
                                        .toList()));
            }
            items.add(claim);
        }

        private void node(String name, Map<String, String> capacity, Map<String, String> allocatable) {
            Map<String, Object> spec = new HashMap<>();
            if (random.nextInt(6) == 0) {
                spec.put("unschedulable", true);
            }
            if (random.nextInt(6) == 0) {
                spec.put("taints", List.of(Map.of("key", "team", "effect", "NoSchedule")));
            }
            Map<String, Object> node = object("v1", "Node", Map.of("name", name), spec);
            node.put(
                    "status",
                    Map.of(
                            "capacity",
                            with(capacity),
                            "allocatable",
                            with(allocatable),
                            "conditions",
                            List.of(Map.of("type", "Ready", "status", "True"))));
            items.add(node);
        }

        private static Map<String, String> with(Map<String, String> devices) {
            Map<String, String> all = new HashMap<>(Map.of("cpu", "64", "memory", "256Gi", "pods", "110"));
            all.putAll(devices);
            return all;
        }

        private void pod(String name, String node, Map<String, String> limits) {
            Map<String, Object> spec = new HashMap<>();
            spec.put("containers", List.of(Map.of("name", "c", "resources", Map.of("limits", limits))));
            if (!node.isEmpty()) {
                spec.put("nodeName", node);
            }
            Map<String, Object> pod =
                    object("v1", "Pod", Map.of("namespace", "ml", "name", name, "uid", "uid-" + name), spec);
            pod.put("status", Map.of("phase", node.isEmpty() ? "Pending" : "Running"));
            items.add(pod);
        }

        private static Map<String, Object> object(
                String apiVersion, String kind, Map<String, Object> metadata, Map<String, Object> spec) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("apiVersion", apiVersion);
            object.put("kind", kind);
            object.put("metadata", metadata);
            object.put("spec", spec);
            return object;
        }

        String json() throws Exception {
            return new ObjectMapper().writeValueAsString(Map.of("apiVersion", "v1", "kind", "List", "items", items));
        }
    }
}
