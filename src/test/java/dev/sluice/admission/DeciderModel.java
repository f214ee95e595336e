package dev.sluice.admission;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is decided, word by word as contracts.md 4 has it and without any thought of speed. */
final class DeciderModel {

    private final PodRequest pod;
    private final Policy policy;
    private final List<Node> nodes;
    final List<ResourceName> asked;

    DeciderModel(PodRequest pod, Policy policy, List<Node> nodes) {
        this.pod = pod;
        this.policy = policy;
        this.nodes = nodes;
        Set<ResourceName> distinct = new LinkedHashSet<>();
        pod.containers().forEach(container -> distinct.addAll(gpus(container).keySet()));
        this.asked = List.copyOf(distinct);
    }

    /** What a container asks: limits, or requests where there is no limit; zero is nothing. */
    private Map<ResourceName, Quantity> gpus(ContainerRequest container) {
        Map<ResourceName, Quantity> found = new TreeMap<>();
        Map<ResourceName, Quantity> requests = Objects.requireNonNullElse(container.requests(), Map.of());
        Map<ResourceName, Quantity> limits = Objects.requireNonNullElse(container.limits(), Map.of());
        Set<ResourceName> names = new TreeSet<>(requests.keySet());
        names.addAll(limits.keySet());
        for (ResourceName name : names) {
            boolean nonZero = List.of(limits, requests).stream()
                    .anyMatch(map ->
                            map.containsKey(name) && map.get(name).amount().signum() != 0);
            if (nonZero && policy.chains().isGpu(name)) {
                found.put(name, limits.getOrDefault(name, requests.getOrDefault(name, Quantity.ZERO)));
            }
        }
        return found;
    }

    /** {@code NoGpu}, an outcome and its moves, or {@code Denied}, each with its reason. */
    String decide() {
        if (asked.isEmpty()) {
            return "NoGpu";
        }
        if (!legal()) {
            return "UNTOUCHED InvalidQuantity []";
        }
        boolean anyDevice = nodes.stream().anyMatch(node -> hasSome(node.capacity()) || hasSome(node.allocatable()));
        if (!anyDevice && nodes.stream().anyMatch(node -> lists(node.capacity()) || lists(node.allocatable()))) {
            return policy.whenNotOffered() == Policy.WhenNotOffered.DENY
                    ? "Denied NotOffered"
                    : "KEPT KeptAsWritten []";
        }
        if (!anyDevice) {
            return policy.whenClusterHasNoGpu() == Policy.WhenClusterHasNoGpu.DENY
                    ? "Denied NoGpuInCluster"
                    : "KEPT NoGpuInCluster []";
        }
        if (offered(Map.of(), Set.copyOf(asked))) {
            return (lacksALimit() ? "CHANGED" : "UNCHANGED") + " Offered []";
        }
        return fallBack();
    }

    private boolean lacksALimit() {
        return pod.containers().stream()
                .anyMatch(
                        container -> gpus(container).keySet().stream().anyMatch(name -> container.limit(name) == null));
    }

    /** A zero is the trace of a device plugin. */
    private boolean lists(Amounts amounts) {
        return !amounts.only(policy.chains()::isGpu).isEmpty();
    }

    private boolean hasSome(Amounts amounts) {
        return !amounts.only(name -> policy.chains().isGpu(name) && amounts.get(name) > 0)
                .isEmpty();
    }

    private boolean legal() {
        for (ContainerRequest container : pod.containers()) {
            for (Map.Entry<ResourceName, Quantity> gpu : gpus(container).entrySet()) {
                Quantity request = container.request(gpu.getKey());
                Quantity limit = container.limit(gpu.getKey());
                if (request != null && limit != null && request.amount().compareTo(limit.amount()) != 0) {
                    return false;
                }
                boolean fraction = gpu.getValue().amount().stripTrailingZeros().scale() > 0;
                if (fraction || gpu.getValue().amount().signum() < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private String fallBack() {
        boolean keep = Objects.equals(pod.annotations().fallbackMode(), "keep");
        List<Map<ResourceName, ResourceName>> combinations = List.of(Map.of());
        for (ResourceName name : asked) {
            List<ResourceName> candidates = new ArrayList<>(List.of(name));
            candidates.addAll(keep ? List.of() : policy.chains().byHead().getOrDefault(name, List.of()));
            candidates.removeIf(given -> !offeredAlone(name, given));
            List<Map<ResourceName, ResourceName>> longer = new ArrayList<>();
            for (Map<ResourceName, ResourceName> combination : combinations) {
                for (ResourceName given : candidates) {
                    Map<ResourceName, ResourceName> next = new HashMap<>(combination);
                    next.put(name, given);
                    longer.add(next);
                }
            }
            combinations = longer;
        }
        if (combinations.size() > 256) {
            return "UNTOUCHED TooManyCombinations []";
        }
        for (Map<ResourceName, ResourceName> combination : combinations) {
            if (offered(combination, Set.copyOf(asked))) {
                return "CHANGED NotOffered " + moves(combination);
            }
        }
        return policy.whenNotOffered() == Policy.WhenNotOffered.DENY ? "Denied NotOffered" : "KEPT KeptAsWritten []";
    }

    private List<PodRequestReplacement> moves(Map<ResourceName, ResourceName> given) {
        return asked.stream()
                .filter(name -> !given.getOrDefault(name, name).equals(name))
                .map(name -> new PodRequestReplacement(name, given.getOrDefault(name, name)))
                .toList();
    }

    private boolean offeredAlone(ResourceName name, ResourceName given) {
        Map<ResourceName, Long> need = needed(Map.of(name, given), Set.of(name));
        return someNodeHas(need);
    }

    private boolean offered(Map<ResourceName, ResourceName> given, Set<ResourceName> of) {
        Map<ResourceName, Long> need = needed(given, of);
        pod.overhead().rounded().forEach((name, amount) -> {
            if (policy.chains().isGpu(name)) {
                need.merge(name, amount, DeciderModel::sum);
            }
        });
        return someNodeHas(need);
    }

    private boolean someNodeHas(Map<ResourceName, Long> need) {
        return nodes.stream()
                .filter(node -> pod.constraints().lastingRefusal(node).isEmpty())
                .anyMatch(node -> need.entrySet().stream()
                        .allMatch(one -> node.allocatable().get(one.getKey()) >= one.getValue()));
    }

    /** The most that runs at once: every init container beside the sidecars before it, then all that stays. */
    private Map<ResourceName, Long> needed(Map<ResourceName, ResourceName> given, Set<ResourceName> of) {
        Map<ResourceName, Long> sidecars = new HashMap<>();
        Map<ResourceName, Long> most = new HashMap<>();
        Map<ResourceName, Long> staying = new HashMap<>();
        for (ContainerRequest container : pod.containers()) {
            Map<ResourceName, Long> own = new HashMap<>();
            gpus(container).forEach((name, quantity) -> {
                if (of.contains(name)) {
                    own.merge(given.getOrDefault(name, name), quantity.value(), DeciderModel::sum);
                }
            });
            if (container.kind() == PodContainerKind.SIDECAR) {
                own.forEach((name, amount) -> sidecars.merge(name, amount, DeciderModel::sum));
            } else if (container.kind() == PodContainerKind.MAIN) {
                own.forEach((name, amount) -> staying.merge(name, amount, DeciderModel::sum));
            } else {
                sidecars.forEach((name, amount) -> own.merge(name, amount, DeciderModel::sum));
                own.forEach((name, amount) -> most.merge(name, amount, Math::max));
            }
        }
        sidecars.forEach((name, amount) -> staying.merge(name, amount, DeciderModel::sum));
        staying.forEach((name, amount) -> most.merge(name, amount, Math::max));
        return most;
    }

    private static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** The amounts of limits, or of requests, that the pod must have in the end. */
    Map<ResourceName, Quantity> expectedLimits(ContainerRequest container, List<PodRequestReplacement> moves) {
        Map<ResourceName, Quantity> limits = new HashMap<>(Objects.requireNonNullElse(container.limits(), Map.of()));
        gpus(container).forEach(limits::putIfAbsent);
        Map<ResourceName, Quantity> after = new HashMap<>(limits);
        List<PodRequestReplacement> own = moves.stream()
                .filter(move -> limits.getOrDefault(move.asked(), Quantity.ZERO).value() != 0)
                .toList();
        own.forEach(move -> after.remove(move.asked()));
        own.forEach(move -> after.merge(
                move.given(),
                limits.getOrDefault(move.asked(), Quantity.ZERO),
                (a, b) -> Quantity.of(a.value() + b.value())));
        return after;
    }
}
