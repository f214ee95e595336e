package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The few amounts, constraints and nodes of which random histories are made: few, so that they meet. */
public final class Palette {

    static final ResourceName GPU = ResourceName.NVIDIA_GPU;
    static final ResourceName SLICE = new ResourceName("nvidia.com/mig-3g.40gb");
    static final List<ResourceName> NAMES = List.of(ResourceName.CPU, GPU, SLICE, ResourceName.PODS);
    static final int PODS = 3;

    private static final Taint SPOT = new Taint("spot", "", Taint.Effect.NO_SCHEDULE);
    private static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_EXECUTE);

    private static final List<Amounts> NEEDS = List.of(
            asking(1000, 0, 0),
            asking(3000, 0, 0),
            asking(500, 1, 0),
            asking(1000, 1, 0),
            asking(1000, 2, 0),
            asking(0, 2, 0),
            asking(2000, 4, 0),
            asking(500, 0, 1),
            asking(1000, 0, 1),
            asking(1000, 0, 2),
            asking(1000, 1, 1),
            asking(Long.MAX_VALUE, 1, 0));

    private static final List<Amounts> MACHINES = List.of(
            machine(8000, 4, 0, 6),
            machine(8000, 2, 0, 6),
            machine(4000, 0, 2, 6),
            machine(4000, 0, 3, 3),
            machine(4000, 2, 2, 4),
            machine(4000, 1, 0, 2),
            machine(3000, 0, 0, 6),
            machine(4000, 2, 0, 6).only(name -> !name.equals(ResourceName.PODS)));

    private final SplittableRandom random;
    private final int nodes;

    public Palette(SplittableRandom random, int nodes) {
        this.random = random;
        this.nodes = nodes;
    }

    private static Amounts asking(long cpu, long gpus, long slices) {
        return machine(cpu, gpus, slices, 1);
    }

    /** Resources that are not requested are not mentioned, as in stored pods. */
    private static Amounts machine(long cpu, long gpus, long slices, long pods) {
        Amounts all = Amounts.of(ResourceName.CPU, cpu)
                .plus(Amounts.of(GPU, gpus))
                .plus(Amounts.of(SLICE, slices))
                .plus(Amounts.of(ResourceName.PODS, pods));
        return all.only(name -> all.get(name) != 0);
    }

    public static long[] vector(Amounts amounts) {
        long[] vector = new long[NAMES.size()];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = amounts.get(NAMES.get(i));
        }
        return vector;
    }

    public Amounts need() {
        return NEEDS.get(random.nextInt(random.nextInt(20) == 0 ? NEEDS.size() : NEEDS.size() - 1));
    }

    String nodeName() {
        return "n" + random.nextInt(nodes);
    }

    public Node node(String name, long version) {
        Amounts allocatable = MACHINES.get(random.nextInt(MACHINES.size()));
        List<Taint> taints = switch (random.nextInt(8)) {
            case 0 -> List.of(SPOT);
            case 1 -> List.of(NOT_READY);
            default -> List.of();
        };
        return new Node(name, labels(name), taints, random.nextInt(8) == 0, allocatable, allocatable, version);
    }

    private Map<String, String> labels(String name) {
        String hostname = random.nextInt(20) == 0 ? "other" : name;
        return Map.of("zone", random.nextBoolean() ? "a" : "b", "kubernetes.io/hostname", hostname);
    }

    public NodeConstraints constraints() {
        return switch (random.nextInt(12)) {
            case 0 -> selecting("zone", "a");
            case 1 -> selecting("zone", "b");
            case 2 -> selecting("kubernetes.io/hostname", nodeName());
            case 3 -> terms(in("metadata.name", nodeName()), /* field= */ 1);
            case 4 -> terms(in("kubernetes.io/hostname", nodeName(), nodeName()), /* field= */ 0);
            case 5 -> tolerating(SPOT.key());
            case 6 -> tolerating("node.kubernetes.io/unschedulable");
            case 7 ->
                random.nextInt(4) == 0 ? new NodeConstraints(nodeName(), Map.of(), null, List.of()) : tolerating("");
            default -> NodeConstraints.NONE;
        };
    }

    private static NodeConstraints selecting(String key, String value) {
        return new NodeConstraints(null, Map.of(key, value), null, List.of());
    }

    private static NodeRequirement in(String key, String... values) {
        return new NodeRequirement(key, NodeRequirement.Operator.IN, List.of(values));
    }

    private static NodeConstraints terms(NodeRequirement requirement, int field) {
        List<NodeRequirement> none = List.of();
        NodeSelectorTerm term = field == 1
                ? new NodeSelectorTerm(none, List.of(requirement))
                : new NodeSelectorTerm(List.of(requirement), none);
        return new NodeConstraints(null, Map.of(), List.of(term), List.of());
    }

    private static NodeConstraints tolerating(String key) {
        return new NodeConstraints(
                null, Map.of(), null, List.of(new Toleration(key, Toleration.TolerationOperator.EXISTS, "", "")));
    }

    /** Most pods are not nominated. */
    @Nullable
    String nominated() {
        return random.nextInt(25) == 0 ? nodeName() : null;
    }
}
