package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A cluster of mixed nodes in pools, and more pods than it can run. Each pod asks for one device of a pool by a
 * selector; pods of a pool ask for the same cpu and memory.
 *
 * <p>So where the scheduler puts one pod never decides whether another one can run: nodes that offer one device may be
 * short of cpu, memory or places instead, but those that offer several are not, and what the pods of a pool take is of
 * one size. Were it otherwise, nobody who does not place pods himself could promise anything: two pods on one node each
 * leave no room for a third one of twice the size, which was there while they stood on one.
 *
 * @param sizes what was said above, or the opposite
 * @param others pods without a GPU that are bound already, some of them ended
 */
record Burst(Sizes sizes, List<Pool> pools, List<Node> nodes, List<Pod> others, List<Pod> pods) {

    static final String POOL = "it.sluice.dev/pool";
    static final String GPU = "nvidia.com/gpu";
    static final String ONE = "nvidia.com/mig-1g.10gb";
    static final String TWO = "nvidia.com/mig-2g.20gb";
    static final String THREE = "nvidia.com/mig-3g.40gb";
    static final List<String> DEVICES = List.of(GPU, ONE, TWO, THREE);

    private static final int PLENTY = 512;

    enum Sizes {
        EVEN,
        /** Pods differ, some go to any pool, some ask for two devices, and any node may be short of anything. */
        UNEVEN
    }

    /** {@code cpu} cores and {@code memory} GiB are what each of its pods takes beside its device. */
    record Pool(String name, boolean tainted, int cpu, int memory) {}

    /** The same for the same seed. About three quarters of the pods find a device. */
    static Burst of(long seed, int pods, Sizes sizes) {
        // The first numbers of neighbouring seeds would be alike.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<Pool> pools = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            pools.add(
                    new Pool("pool-" + i, i > 0 && random.nextBoolean(), 1 + random.nextInt(4), 2 + random.nextInt(9)));
        }
        Burst burst = new Burst(sizes, pools, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int devices = 0; devices < pods * 3 / 4; ) {
            devices += burst.addNode(random);
        }
        for (int i = 0; i < pods; i++) {
            burst.addPod(random);
        }
        return burst;
    }

    /** Returns the same pods as those of ReplicaSets: one for all that differ in nothing but the name. */
    List<ReplicaSet> replicaSets() {
        Map<PodSpec, Long> counts =
                pods.stream().collect(Collectors.groupingBy(Pod::getSpec, LinkedHashMap::new, Collectors.counting()));
        List<ReplicaSet> replicaSets = new ArrayList<>();
        counts.forEach((spec, count) -> {
            Map<String, String> label = Map.of("it.sluice.dev/owner", "owner-" + replicaSets.size());
            replicaSets.add(new ReplicaSetBuilder()
                    .withNewMetadata()
                    .withName("owner-" + replicaSets.size())
                    .endMetadata()
                    .withNewSpec()
                    .withReplicas(count.intValue())
                    .withNewSelector()
                    .withMatchLabels(label)
                    .endSelector()
                    .withNewTemplate()
                    .withNewMetadata()
                    .withLabels(label)
                    .endMetadata()
                    .withSpec(spec)
                    .endTemplate()
                    .endSpec()
                    .build());
        });
        return replicaSets;
    }

    private int addNode(Random random) {
        Pool pool = pools.get(random.nextInt(pools.size()));
        Map<String, Integer> devices = devices(random);
        int sum = devices.values().stream().mapToInt(Integer::intValue).sum();
        Map<String, Quantity> amounts = new HashMap<>();
        devices.forEach((name, amount) -> amounts.put(name, new Quantity(Integer.toString(amount))));
        // Enough for so many pods, and then some that is too little for another one.
        int tight = sizes == Sizes.EVEN && devices.size() > 1 ? -1 : random.nextInt(5);
        int enough = 1 + random.nextInt(sum);
        amounts.put("cpu", new Quantity((tight == 0 ? pool.cpu() * enough * 1000 + 900 : PLENTY * 1000) + "m"));
        amounts.put("memory", new Quantity((tight == 1 ? pool.memory() * enough + 1 : PLENTY) + "Gi"));
        amounts.put("pods", new Quantity(Integer.toString(tight == 2 ? enough + 2 : PLENTY)));
        String name = "node-" + nodes.size();
        nodes.add(node(name, pool, amounts, random.nextInt(8) == 0));
        for (int i = random.nextInt(3); i > 0; i--) {
            others.add(other("other-" + others.size(), name, 1 + random.nextInt(1900), random.nextInt(4) == 0));
        }
        return tight >= 0 && tight < 3 ? enough : sum;
    }

    private static Map<String, Integer> devices(Random random) {
        int size = 1 + random.nextInt(4);
        return switch (random.nextInt(5)) {
            case 0 -> Map.of(GPU, 2 * size);
            case 1 -> Map.of(ONE, 7 * size);
            case 2 -> Map.of(TWO, 3 * size);
            case 3 -> Map.of(TWO, 2 * size, THREE, size);
            default -> Map.of(ONE, size, TWO, size, THREE, size);
        };
    }

    private static Node node(String name, Pool pool, Map<String, Quantity> amounts, boolean cordoned) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels(POOL, pool.name())
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(cordoned)
                .withTaints(pool.tainted() ? List.of(new Taint("NoSchedule", POOL, null, pool.name())) : List.of())
                .endSpec()
                .withNewStatus()
                .withAllocatable(amounts)
                .withCapacity(amounts)
                .endStatus()
                .build();
    }

    /** Past the scheduler. */
    private static Pod other(String name, String node, int milliCpu, boolean ended) {
        return new PodBuilder(Pods.plain(name))
                .editMetadata()
                .addToAnnotations("it.sluice.dev/fate", ended ? "failed" : "running")
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .editFirstContainer()
                .withResources(new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity(milliCpu + "m"))
                        .build())
                .endContainer()
                .endSpec()
                .build();
    }

    private void addPod(Random random) {
        Pool pool = pools.get(random.nextInt(pools.size()));
        String device = DEVICES.get(random.nextInt(DEVICES.size()));
        boolean even = sizes == Sizes.EVEN;
        int quantity = even || random.nextInt(4) > 0 ? 1 : 2;
        int cpu = even ? pool.cpu() : 1 + random.nextInt(2 * pool.cpu());
        int memory = even ? pool.memory() : 1 + random.nextInt(2 * pool.memory());
        PodBuilder pod = new PodBuilder(Pods.asking("pod-" + pods.size(), device, quantity))
                .editSpec()
                .withNodeSelector(even || random.nextBoolean() ? Map.of(POOL, pool.name()) : Map.of())
                .editFirstContainer()
                .editResources()
                .addToRequests("cpu", new Quantity(Integer.toString(cpu)))
                .addToRequests("memory", new Quantity(memory + "Gi"))
                .endResources()
                .endContainer()
                .endSpec();
        // Every twentieth does not tolerate what its pool is tainted with, and never runs there.
        pods.add((random.nextInt(20) == 0 ? pod : tolerating(pod)).build());
    }

    private static PodBuilder tolerating(PodBuilder pod) {
        return pod.editSpec()
                .addNewToleration()
                .withKey(POOL)
                .withOperator("Exists")
                .endToleration()
                .endSpec();
    }
}
