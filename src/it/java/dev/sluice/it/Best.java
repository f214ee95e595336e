package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * How many pods of a {@link Burst} can run, whoever is given what: the largest matching of pods with devices, where a
 * pod takes what it asks or anything in its chain.
 *
 * <p>A gateway that decides in the order of arrival, and gives each pod the first of its chain that is free, reaches
 * this number with the default chains in any order. A pod that finds nothing found its whole chain in use, and it stays
 * so. Whoever holds a part of that chain took it when everything before it in his own was in use; what comes after it
 * is in use too, because the whole GPU comes last in every chain and the pod looked there. So nobody could make room by
 * having taken something else.
 */
final class Best {

    /** The shipped ones, for devices that a burst asks for. */
    private static final Map<String, List<String>> CHAINS = Map.of(
            Burst.GPU, List.of(),
            Burst.ONE, List.of(Burst.TWO, Burst.GPU),
            Burst.TWO, List.of(Burst.ONE, Burst.GPU),
            Burst.THREE, List.of(Burst.TWO, Burst.ONE, Burst.GPU));

    private Best() {}

    static int running(Burst burst) {
        return burst.pools().stream().mapToInt(pool -> running(burst, pool)).sum();
    }

    private static int running(Burst burst, Burst.Pool pool) {
        Map<String, Integer> asked = new HashMap<>();
        burst.pods().stream()
                .filter(pod -> isOf(pool, pod.getSpec().getNodeSelector()))
                .filter(pod ->
                        !pool.tainted() || !pod.getSpec().getTolerations().isEmpty())
                .forEach(pod -> asked.merge(asks(pod), 1, Integer::sum));
        Map<String, Integer> there = new HashMap<>();
        burst.nodes().stream()
                .filter(node -> isOf(pool, node.getMetadata().getLabels()))
                .filter(node -> !Objects.equals(node.getSpec().getUnschedulable(), true))
                .forEach(node ->
                        devices(node, pool, burst).forEach((name, count) -> there.merge(name, count, Integer::sum)));
        return matching(asked, there);
    }

    private static boolean isOf(Burst.Pool pool, Map<String, String> labels) {
        return Objects.equals(labels.get(Burst.POOL), pool.name());
    }

    private static String asks(Pod pod) {
        return pod.getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getLimits()
                .keySet()
                .iterator()
                .next();
    }

    /** Hall's theorem, with what is lacking: the fewest of all ways to leave some out and serve the rest from all. */
    private static int matching(Map<String, Integer> asked, Map<String, Integer> there) {
        int least = Integer.MAX_VALUE;
        for (int chosen = 0; chosen < 1 << Burst.DEVICES.size(); chosen++) {
            Set<String> reached = new HashSet<>();
            int sum = 0;
            for (int i = 0; i < Burst.DEVICES.size(); i++) {
                String device = Burst.DEVICES.get(i);
                if ((chosen & 1 << i) == 0) {
                    sum += asked.getOrDefault(device, 0);
                } else {
                    reached.add(device);
                    reached.addAll(CHAINS.getOrDefault(device, List.of()));
                }
            }
            sum += reached.stream()
                    .mapToInt(device -> there.getOrDefault(device, 0))
                    .sum();
            least = Math.min(least, sum);
        }
        return least;
    }

    /** Those that pods of this pool can use, for all that the node has besides and others have left. */
    private static Map<String, Integer> devices(Node node, Burst.Pool pool, Burst burst) {
        Map<String, Quantity> amounts = node.getStatus().getAllocatable();
        List<Pod> others = burst.others().stream()
                .filter(pod -> Objects.equals(
                        pod.getSpec().getNodeName(), node.getMetadata().getName()))
                .filter(pod -> !pod.getMetadata().getAnnotations().containsValue("failed"))
                .toList();
        BigDecimal used = others.stream()
                .map(pod -> amount(
                        pod.getSpec().getContainers().getFirst().getResources().getRequests(), "cpu"))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        int places = amount(amounts, "cpu")
                .subtract(used)
                .max(BigDecimal.ZERO)
                .divideToIntegralValue(BigDecimal.valueOf(pool.cpu()))
                .intValueExact();
        places = Math.min(places, amount(amounts, "pods").intValueExact() - others.size());
        places = Math.min(
                places,
                amount(amounts, "memory")
                        .divideToIntegralValue(BigDecimal.valueOf((long) pool.memory() << 30))
                        .intValueExact());
        Map<String, Integer> devices = new HashMap<>();
        for (String device : Burst.DEVICES) {
            if (amounts.containsKey(device)) {
                devices.put(
                        device,
                        Math.min(Math.max(places, 0), amount(amounts, device).intValueExact()));
            }
        }
        return devices;
    }

    private static BigDecimal amount(Map<String, Quantity> amounts, String name) {
        return amounts.getOrDefault(name, new Quantity("0")).getNumericalAmount();
    }
}
