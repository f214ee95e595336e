package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * What may stand around the gateway, at random: nodes, LimitRanges, other webhooks, a quota, and pods of several
 * priorities.
 *
 * @param nodes the devices of each node; a node whose name begins with {@code tainted} has a taint
 * @param quota what the namespace may use; empty if it has no quota
 */
record Company(
        Map<String, Map<String, String>> nodes,
        List<LimitRangeItem> limits,
        List<Neighbor> neighbors,
        Map<String, Quantity> quota,
        List<Pod> pods) {

    static final String TAINT = "nvidia.com/gpu";
    static final Map<String, Integer> PRIORITIES = Map.of("spare", -10, "urgent", 1_000);

    /** What another webhook does to pods. */
    enum Habit {
        TOLERATES,
        INJECTS_SIDECAR,
        /** It puts its container before all others. */
        INJECTS_FIRST,
        /** It gives a GPU to each container without one of this name. */
        FILLS,
        NOTES,
        REFUSES
    }

    /**
     * Another webhook.
     *
     * @param name the name of its configuration, by which the API server orders webhooks
     * @param device the device that {@link Habit#FILLS} is about
     */
    record Neighbor(String name, Habit habit, boolean reinvoked, String device) {}

    static Company of(long seed) {
        Random random = new Random(new SplittableRandom(seed).nextLong());
        Map<String, Map<String, String>> nodes = new HashMap<>();
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            Map<String, String> devices = new HashMap<>();
            for (String device : Burst.DEVICES) {
                if (random.nextInt(3) == 0) {
                    devices.put(device, Integer.toString(1 + random.nextInt(3)));
                }
            }
            devices.putIfAbsent(device(random), "2");
            nodes.put((i > 0 && random.nextInt(3) == 0 ? "tainted-" : "open-") + i, devices);
        }
        List<LimitRangeItem> limits = new ArrayList<>();
        int ranges = Math.max(0, random.nextInt(5) - 2);
        for (int i = 0; i < ranges; i++) {
            limits.add(limit(random));
        }
        List<Neighbor> neighbors = new ArrayList<>();
        int webhooks = random.nextInt(4);
        for (int i = 0; i < webhooks; i++) {
            neighbors.add(neighbor(random, i));
        }
        Map<String, Quantity> quota = random.nextInt(3) > 0
                ? Map.of()
                : Map.of("requests." + device(random), new Quantity(Integer.toString(random.nextInt(3))));
        List<Pod> pods = new ArrayList<>();
        int asking = 6 + random.nextInt(5);
        for (int i = 0; i < asking; i++) {
            pods.add(pod(random, "pod-" + i));
        }
        return new Company(nodes, limits, neighbors, quota, pods);
    }

    private static String device(Random random) {
        return Burst.DEVICES.get(random.nextInt(Burst.DEVICES.size()));
    }

    private static LimitRangeItem limit(Random random) {
        boolean ofPod = random.nextInt(4) == 0;
        Map<String, Quantity> one = Map.of(device(random), new Quantity("1"));
        Map<String, Quantity> two = Map.of(one.keySet().iterator().next(), new Quantity("2"));
        LimitRangeItemBuilder item = new LimitRangeItemBuilder().withType(ofPod ? "Pod" : "Container");
        // A minimum or a ratio refuses each pod that does not ask for the device.
        return (switch (random.nextInt(ofPod ? 5 : 9)) {
                    case 0 -> item.withMin(one);
                    case 1 -> item.withMaxLimitRequestRatio(one);
                    case 2, 3, 4 -> item.withMax(two);
                    case 5 -> item.withDefault(one).withDefaultRequest(one).withMin(one);
                    case 6 -> item.withDefault(one).withDefaultRequest(one);
                    default -> item.withDefault(one);
                })
                .build();
    }

    private static Neighbor neighbor(Random random, int number) {
        Habit habit = Habit.values()[random.nextInt(Habit.values().length)];
        boolean before = random.nextBoolean();
        // The API server calls nobody a third time, so one that is called behind the gateway's second look has the last
        // word.
        boolean reinvoked = random.nextBoolean() && (before || habit != Habit.FILLS);
        return new Neighbor((before ? "a-" : "z-") + "neighbor-" + number, habit, reinvoked, device(random));
    }

    private static Pod pod(Random random, String name) {
        List<Container> containers = new ArrayList<>();
        containers.add(Pods.container("main", device(random), random.nextInt(5) == 0 ? 2 : 1));
        if (random.nextInt(4) == 0) {
            containers.add(Pods.container("second", random.nextBoolean() ? device(random) : "cpu", 1));
        }
        Pod pod = Pods.named(name, Pods.spec(containers.toArray(Container[]::new)));
        if (random.nextInt(3) == 0) {
            pod.getSpec().setTolerations(List.of(new Toleration("NoSchedule", TAINT, "Exists", null, null)));
        }
        switch (random.nextInt(6)) {
            case 0 -> pod.getSpec().setPriorityClassName("urgent");
            case 1 -> pod.getSpec().setPriorityClassName("spare");
            default -> {}
        }
        return new PodBuilder(pod)
                .editMetadata()
                .addToLabels("it.sluice.dev/lot", Integer.toString(random.nextInt(3)))
                .endMetadata()
                .build();
    }
}
