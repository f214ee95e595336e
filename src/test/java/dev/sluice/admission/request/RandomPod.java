package dev.sluice.admission.request;

import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Pods and policies as users might write them, and now and then as they should not. */
public final class RandomPod {

    private final Random random;
    private final RandomCluster cluster;

    public RandomPod(Random random) {
        this.random = random;
        this.cluster = new RandomCluster(random);
    }

    public Policy policy() {
        Map<ResourceName, List<ResourceName>> chains = new LinkedHashMap<>();
        for (ResourceName head : RandomCluster.DEVICES) {
            if (random.nextInt(4) > 0) {
                List<ResourceName> chain = new ArrayList<>(RandomCluster.DEVICES);
                chain.remove(head);
                Collections.shuffle(chain, random);
                chains.put(head, chain.subList(0, random.nextInt(chain.size() + 1)));
            }
        }
        return PolicySwitches.with(
                Policy.DEFAULT,
                pick(Policy.WhenNotOffered.values()),
                pick(Policy.WhenClusterHasNoGpu.values()),
                FallbackChains.of(chains));
    }

    public PodRequest pod() {
        List<ContainerRequest> containers = new ArrayList<>();
        int crowd = random.nextInt(8) == 0 ? 9 : 2;
        for (int i = 0; i <= random.nextInt(2); i++) {
            containers.add(container(PodContainerKind.MAIN, i, crowd));
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            containers.add(container(pick(PodContainerKind.INIT, PodContainerKind.SIDECAR), i, crowd));
        }
        ExactAmounts overhead =
                random.nextInt(9) == 0 ? ExactAmounts.of(Map.of(device(), Quantity.of(1))) : ExactAmounts.NONE;
        return new PodRequest(
                containers, ExactAmounts.NONE, overhead, /* gated= */ false, cluster.constraints(), annotations());
    }

    private PodRequestAnnotations annotations() {
        PodRequestAnnotations.Parent parent = pick(PodRequestAnnotations.Parent.values());
        if (parent != PodRequestAnnotations.Parent.ANNOTATIONS) {
            return new PodRequestAnnotations(parent, Map.of(), 0);
        }
        Map<String, String> values = new HashMap<>();
        if (random.nextInt(3) == 0) {
            values.put(PodRequestAnnotations.FALLBACK, "old->new");
        }
        if (random.nextInt(8) == 0) {
            values.put(PodRequestAnnotations.FALLBACK_MODE, pick("keep", "Keep", "line\nbreak\u0007"));
        }
        return new PodRequestAnnotations(parent, values, 100);
    }

    private ContainerRequest container(PodContainerKind kind, int index, int crowd) {
        Map<ResourceName, Quantity> limits = new HashMap<>();
        Map<ResourceName, Quantity> requests = new HashMap<>();
        if (random.nextBoolean()) {
            limits.put(ResourceName.CPU, quantity("1500m"));
            requests.put(ResourceName.CPU, quantity("0.5"));
        }
        for (int i = random.nextInt(crowd + 1); i > 0; i--) {
            ask(device(), limits, requests);
        }
        return new ContainerRequest(kind, index, "c" + index, absentIfEmpty(limits), absentIfEmpty(requests));
    }

    private @Nullable Map<ResourceName, Quantity> absentIfEmpty(Map<ResourceName, Quantity> quantities) {
        return quantities.isEmpty() && random.nextBoolean() ? null : quantities;
    }

    private void ask(ResourceName name, Map<ResourceName, Quantity> limits, Map<ResourceName, Quantity> requests) {
        String count = pick("1", "1", "1", "2", "2", "3", "0", "1000m", "+2", "2e0");
        switch (random.nextInt(20)) {
            case 0 -> requests.put(name, quantity(count.equals("0") ? "1" : count));
            case 1 -> limits.put(name, quantity(count));
            case 2 -> {
                limits.put(name, quantity(random.nextInt(3) == 0 ? "2" : "1000m"));
                requests.put(name, quantity("1"));
            }
            case 3 -> limits.put(name, quantity(random.nextInt(3) == 0 ? pick("0.5", "-1", "1e99999999") : "1"));
            default -> {
                limits.put(name, quantity(count));
                requests.put(name, quantity(count));
            }
        }
    }

    private ResourceName device() {
        return RandomCluster.DEVICES.get(random.nextInt(RandomCluster.DEVICES.size()));
    }

    private static Quantity quantity(String text) {
        return Quantity.parse(text).orElseThrow();
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
