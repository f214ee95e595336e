package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Nodes and constraints that differ in everything a decision reads; the same seed gives the same ones. */
public final class RandomCluster {

    public static final List<ResourceName> DEVICES = List.of(
            ResourceName.NVIDIA_GPU,
            new ResourceName("nvidia.com/gpu.shared"),
            new ResourceName("nvidia.com/mig-1g.10gb"),
            new ResourceName("nvidia.com/mig-2g.20gb"),
            new ResourceName("nvidia.com/mig-3g.40gb"),
            new ResourceName("amd.com/gpu"));

    private static final List<Taint> TAINTS = List.of(
            new Taint("nvidia.com/gpu", "yes", Taint.Effect.NO_SCHEDULE),
            new Taint("level", "5", Taint.Effect.NO_EXECUTE),
            new Taint("spot", "", Taint.Effect.PREFER_NO_SCHEDULE),
            new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_EXECUTE),
            new Taint("odd", "", Taint.Effect.OTHER));

    private final Random random;
    /** Where they are not, some nodes bear the name of another as their hostname, and some have none. */
    private final boolean hostnamesAreNames;

    public RandomCluster(Random random) {
        this.random = random;
        this.hostnamesAreNames = random.nextBoolean();
    }

    public List<Node> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> node("n" + i, 1 + i)).toList();
    }

    public Node node(String name, long resourceVersion) {
        Map<String, String> labels = new HashMap<>(Map.of("host", name));
        if (hostnamesAreNames || random.nextInt(3) == 0) {
            labels.put(NodeConstraints.HOSTNAME, hostnamesAreNames ? name : nodeName());
        }
        maybe(2, () -> labels.put("zone", pick("a", "b", "")));
        maybe(2, () -> labels.put("level", pick("1", "5", "-3", "x")));
        List<Taint> taints = TAINTS.stream().filter(_ -> random.nextInt(8) == 0).toList();
        Amounts allocatable = Amounts.of(ResourceName.CPU, random.nextInt(4) * 1000L);
        for (ResourceName device : DEVICES) {
            if (random.nextInt(4) == 0) {
                allocatable = allocatable.plus(Amounts.of(device, random.nextInt(5)));
            }
        }
        Amounts unhealthy = random.nextInt(6) == 0 ? Amounts.of(pickFrom(DEVICES), 1) : Amounts.NONE;
        return new Node(
                name,
                labels,
                taints,
                random.nextInt(6) == 0,
                allocatable.plus(unhealthy),
                allocatable,
                resourceVersion);
    }

    public NodeConstraints constraints() {
        if (random.nextInt(3) == 0) {
            return NodeConstraints.NONE;
        }
        @Nullable String nodeName = random.nextInt(10) == 0 ? nodeName() : null;
        Map<String, String> selector = switch (random.nextInt(5)) {
            case 0 -> Map.of("zone", pick("a", "b", ""));
            case 1 -> random.nextInt(3) == 0 ? Map.of(hostKey(), nodeName()) : Map.of("level", "5");
            default -> Map.of();
        };
        @Nullable List<NodeSelectorTerm> terms = random.nextInt(2) == 0 ? null : several(this::term);
        return new NodeConstraints(
                nodeName, selector, terms, random.nextBoolean() ? List.of() : several(this::toleration));
    }

    private NodeSelectorTerm term() {
        return new NodeSelectorTerm(
                random.nextInt(4) == 0 ? List.of() : several(this::expression),
                random.nextInt(4) == 0 ? several(this::field) : List.of());
    }

    private NodeRequirement expression() {
        NodeRequirement.Operator operator = pick(NodeRequirement.Operator.values());
        String key = pick("zone", "level", "level", hostKey(), "none");
        List<String> values = switch (operator) {
            case EXISTS, DOES_NOT_EXIST -> random.nextInt(9) == 0 ? List.of("x") : List.of();
            case GT, LT -> random.nextInt(9) == 0 ? List.of("x") : List.of(pick("0", "4", "-5", "9"));
            default -> several(() -> pick("a", "b", "", "5", nodeName()));
        };
        return new NodeRequirement(key, operator, values);
    }

    private NodeRequirement field() {
        NodeRequirement.Operator operator = random.nextInt(9) == 0
                ? pick(NodeRequirement.Operator.values())
                : pick(NodeRequirement.Operator.IN, NodeRequirement.Operator.NOT_IN);
        return random.nextInt(9) == 0
                ? new NodeRequirement("metadata.other", operator, List.of(pick("", "n1")))
                : new NodeRequirement("metadata.name", operator, List.of(nodeName()));
    }

    private Toleration toleration() {
        Taint taint = pickFrom(TAINTS);
        return new Toleration(
                pick(taint.key(), ""),
                pick(Toleration.TolerationOperator.values()),
                pick(taint.value(), "4", "6"),
                pick("", taint.effect().text()));
    }

    private String hostKey() {
        return pick("host", NodeConstraints.HOSTNAME);
    }

    private String nodeName() {
        return "n" + random.nextInt(12);
    }

    private void maybe(int in, Runnable action) {
        if (random.nextInt(in) > 0) {
            action.run();
        }
    }

    private <T> List<T> several(Supplier<T> one) {
        List<T> list = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            list.add(one.get());
        }
        return list;
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T pickFrom(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public static ClusterSnapshot snapshot(List<Node> nodes) {
        PlacementNodes ledger = new PlacementNodes();
        boolean changed = ledger.apply(new NodeEvent.NodesListed(nodes, nodes.size()));
        if (!changed) {
            throw new AssertionError("a first list is always news");
        }
        return ledger.snapshot();
    }
}
