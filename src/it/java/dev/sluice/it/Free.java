package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is free on each node, added up from what the API server lists, as the scheduler does for plain containers. */
final class Free {

    private Free() {}

    /** By node and resource; comparable, because zeros behind the point are gone. */
    static SortedMap<String, SortedMap<String, BigDecimal>> listed(KubernetesClient client) {
        List<Pod> pods = client.pods().inAnyNamespace().list().getItems();
        SortedMap<String, SortedMap<String, BigDecimal>> free = new TreeMap<>();
        for (Node node : client.nodes().list().getItems()) {
            String name = node.getMetadata().getName();
            Map<String, BigDecimal> used = new HashMap<>();
            pods.stream()
                    .filter(pod -> Objects.equals(pod.getSpec().getNodeName(), name))
                    .filter(pod -> !List.of("Succeeded", "Failed")
                            .contains(pod.getStatus().getPhase()))
                    .forEach(pod -> add(pod, used));
            SortedMap<String, BigDecimal> left = new TreeMap<>();
            node.getStatus()
                    .getAllocatable()
                    .forEach((resource, amount) -> left.put(
                            resource,
                            plain(amount.getNumericalAmount()
                                    .subtract(used.getOrDefault(resource, BigDecimal.ZERO))
                                    .max(BigDecimal.ZERO))));
            free.put(name, left);
        }
        return free;
    }

    static BigDecimal plain(BigDecimal amount) {
        return new BigDecimal(amount.stripTrailingZeros().toPlainString());
    }

    private static void add(Pod pod, Map<String, BigDecimal> used) {
        used.merge("pods", BigDecimal.ONE, BigDecimal::add);
        pod.getSpec().getContainers().stream()
                .map(container -> container.getResources().getRequests())
                .filter(Objects::nonNull)
                .forEach(requests -> requests.forEach((name, amount) -> add(name, amount, used)));
    }

    private static void add(String name, Quantity amount, Map<String, BigDecimal> used) {
        used.merge(name, amount.getNumericalAmount(), BigDecimal::add);
    }
}
