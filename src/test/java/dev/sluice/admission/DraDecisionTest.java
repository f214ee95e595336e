package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.dra.AttributeValue;
import dev.sluice.cluster.dra.Device;
import dev.sluice.cluster.dra.DeviceClaims;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceClasses;
import dev.sluice.cluster.dra.DeviceCounterSet;
import dev.sluice.cluster.dra.DeviceId;
import dev.sluice.cluster.dra.DevicePools;
import dev.sluice.cluster.dra.DeviceSelector;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.cluster.dra.ResourceSliceNodes;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** Decisions in random clusters of plugin nodes and DRA nodes are those of a slow model of the scheduler. */
class DraDecisionTest {

    private static final int CLUSTERS = 400;
    private static final String DRIVER = "gpu.nvidia.com";
    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;
    private static final ResourceName MIG = new ResourceName("nvidia.com/mig-3g.40gb");
    private static final FallbackChains CHAINS = FallbackChains.of(Map.of(MIG, List.of(GPU)));
    private static final Set<String> ALL_KINDS = Set.of("unchanged", "moved", "waits", "kept");

    private static Policy policy(Policy.Mode mode) {
        Policy like = Policy.DEFAULT;
        return new Policy(
                mode,
                like.whenNotOffered(),
                like.whenClusterHasNoGpu(),
                like.whenExhausted(),
                like.whenStale(),
                CHAINS,
                like.whenUnreadable(),
                like.helpText(),
                like.fallbackMessage(),
                like.preemption(),
                like.whenGated(),
                like.enforcement(),
                like.observedMessage());
    }

    private static PodRequest asking(ResourceName name, long amount) {
        Map<ResourceName, Quantity> quantities = Map.of(name, Quantity.of(amount));
        return new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "main", quantities, quantities)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                PodRequestAnnotations.NONE);
    }

    /** Names what happens to the pod in a word. */
    private static String kindOf(Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Allowed.class);
        Verdict.Allowed allowed = (Verdict.Allowed) verdict;
        String waits = allowed.reason() == Reason.EXHAUSTED
                        && allowed.causes().stream()
                                .anyMatch(cause ->
                                        cause.getClass().getSimpleName().contains("Wait"))
                ? "waits"
                : "";
        return allowed.moves().isEmpty()
                ? allowed.outcome() == Verdict.Outcome.KEPT ? "kept" : waits.isEmpty() ? "unchanged" : "waits"
                : "moved" + waits;
    }

    /** Names what must happen to the pod, by which nodes can take it when empty and which can take it now. */
    private static String expected(ResourceName asked, boolean availability, BiPredicate<ResourceName, Boolean> takes) {
        List<ResourceName> wanted = asked.equals(MIG) ? List.of(MIG, GPU) : List.of(asked);
        for (ResourceName name : wanted) {
            if (takes.test(name, availability)) {
                return name.equals(asked) ? "unchanged" : "moved";
            }
        }
        for (ResourceName name : availability ? wanted : List.<ResourceName>of()) {
            if (takes.test(name, /* now= */ false)) {
                return name.equals(asked) ? "waits" : "movedwaits";
            }
        }
        return "kept";
    }

    @Test
    void aPodGetsWhatTheSchedulerWouldBind() {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < CLUSTERS; seed++) {
            RandomCluster cluster = new RandomCluster(new Random(seed));
            Ledger ledger = cluster.ledger();
            for (ResourceName asked : List.of(GPU, MIG, ResourceName.ofDeviceClass(DRIVER))) {
                for (long amount : new long[] {1, 2, 3, 4, 32, 33}) {
                    for (Policy.Mode mode : Policy.Mode.values()) {
                        boolean availability = mode == Policy.Mode.AVAILABILITY;
                        Verdict verdict = Decider.decide(
                                        asking(asked, amount),
                                        NamespacePolicy.of(policy(mode)),
                                        ledger.snapshot(),
                                        new DecisionFreeCapacity(ledger))
                                .verdict();
                        String expected =
                                expected(asked, availability, (name, now) -> cluster.anyTakes(name, amount, now));
                        assertThat(kindOf(verdict))
                                .as("seed %d: %d %s in %s: %s", seed, amount, asked, mode, verdict)
                                .isEqualTo(expected);
                        seen.add(expected);
                    }
                }
            }
        }
        assertThat(seen).containsAll(ALL_KINDS);
    }

    /**
     * A device of the model. A whole GPU takes two units of its card and a slice takes one, if the card has counters.
     *
     * @param card the card with counters; empty if the device takes no counters
     */
    private record ModelDevice(DeviceId id, boolean isSlice, String card, boolean isTainted, boolean isTaken) {
        int units() {
            return isSlice ? 1 : 2;
        }
    }

    private record ModelNode(String name, Amounts plugin, Amounts used, List<ModelDevice> devices) {

        boolean takes(ResourceName name, long amount, boolean now) {
            if (plugin.get(name) > 0) {
                return plugin.get(name) - (now ? used.get(name) : 0) >= amount;
            }
            return amount <= 32 && takesDevices(name.equals(MIG), amount, now);
        }

        /** Looks for devices that can be taken together by trying each set of devices, card by card. */
        private boolean takesDevices(boolean slices, long amount, boolean now) {
            Set<String> cards = new TreeSet<>();
            devices.forEach(device -> cards.add(device.card()));
            long found = 0;
            for (String card : cards) {
                List<ModelDevice> own = devices.stream()
                        .filter(device -> device.card().equals(card))
                        .toList();
                List<ModelDevice> open = own.stream()
                        .filter(device ->
                                device.isSlice() == slices && !device.isTainted() && !(now && device.isTaken()))
                        .toList();
                int taken = own.stream()
                        .filter(device -> now && device.isTaken())
                        .mapToInt(ModelDevice::units)
                        .sum();
                found += card.isEmpty() ? open.size() : mostTogether(open, 2 - taken);
            }
            return found >= amount;
        }

        private static long mostTogether(List<ModelDevice> open, int units) {
            long most = 0;
            for (int set = 0; set < 1 << open.size(); set++) {
                int needed = 0;
                for (int i = 0; i < open.size(); i++) {
                    needed += (set >> i & 1) * open.get(i).units();
                }
                most = needed <= units ? Math.max(most, Integer.bitCount(set)) : most;
            }
            return most;
        }
    }

    private static final class RandomCluster {

        private final Random random;
        private final List<Node> nodes = new ArrayList<>();
        private final List<Pod> pods = new ArrayList<>();
        private final List<ResourceSlice> slices = new ArrayList<>();
        private final List<ResourceClaim> claims = new ArrayList<>();
        private final List<ModelNode> model = new ArrayList<>();

        RandomCluster(Random random) {
            this.random = random;
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                add("n" + i);
            }
        }

        private void add(String name) {
            Amounts plugin = Amounts.NONE;
            for (ResourceName resource : List.of(GPU, MIG)) {
                if (random.nextInt(3) == 0) {
                    plugin = plugin.plus(Amounts.of(resource, random.nextInt(4)));
                }
            }
            nodes.add(new Node(name, Map.of(), List.of(), /* unschedulable= */ false, plugin, plugin, 1));
            List<ModelDevice> devices = new ArrayList<>();
            if (random.nextInt(3) > 0) {
                publish(name, devices);
            }
            model.add(new ModelNode(name, plugin, boundPods(name, plugin), devices));
        }

        private Amounts boundPods(String node, Amounts plugin) {
            Amounts[] used = {Amounts.NONE};
            plugin.forEach((resource, amount) -> {
                int held = amount == 0 ? 0 : random.nextInt((int) amount + 1);
                if (held > 0) {
                    used[0] = used[0].plus(Amounts.of(resource, held));
                    bind("holds-" + node + "-" + resource.shortName(), node, Amounts.of(resource, held));
                }
            });
            return used[0];
        }

        private void bind(String name, String node, Amounts requests) {
            pods.add(new Pod(PodId.of(name), "ml/" + name, new Pod.Place.Bound(node), requests, "", 1));
        }

        private void publish(String node, List<ModelDevice> devices) {
            boolean hasCounters = random.nextBoolean();
            int cards = hasCounters ? 1 + random.nextInt(4) : random.nextInt(4) == 0 ? 70 : 1 + random.nextInt(4);
            List<Device> published = new ArrayList<>();
            List<DeviceCounterSet> counters = new ArrayList<>();
            for (int i = 0; i < cards; i++) {
                String card = hasCounters ? "card-" + i : "";
                if (hasCounters) {
                    counters.add(new DeviceCounterSet(card, Map.of("unit", 2L)));
                }
                int left = 2;
                for (int j = 0; j < (hasCounters ? 3 : 1); j++) {
                    boolean isSlice = hasCounters ? j > 0 : random.nextInt(3) == 0;
                    int units = isSlice ? 1 : 2;
                    boolean isTaken = left >= units && random.nextInt(3) == 0;
                    boolean isTainted = random.nextInt(8) == 0;
                    DeviceId id = new DeviceId(DRIVER, node, "d-" + i + "-" + j);
                    devices.add(new ModelDevice(id, isSlice, card, isTainted, isTaken));
                    published.add(device(id.device(), isSlice, card, isTainted));
                    if (isTaken) {
                        left -= units;
                        claim(node, id, isSlice ? MIG : GPU);
                    }
                }
            }
            // Counters are in a slice of their own.
            long parts = hasCounters ? 2 : 1;
            ResourceSliceNodes named = new ResourceSliceNodes.NamedNode(node);
            slices.add(new ResourceSlice(node + "-devices", DRIVER, node, 1, parts, named, published, List.of()));
            if (hasCounters) {
                slices.add(new ResourceSlice(node + "-counters", DRIVER, node, 1, parts, named, List.of(), counters));
            }
        }

        private static Device device(String name, boolean isSlice, String card, boolean isTainted) {
            return new Device(
                    name,
                    Map.of("type", new AttributeValue.StringAttribute(isSlice ? "mig" : "gpu")),
                    Map.of(),
                    isTainted ? List.of(new Taint("broken", "", Taint.Effect.NO_SCHEDULE)) : List.of(),
                    card.isEmpty() ? List.of() : List.of(new DeviceCounterSet(card, Map.of("unit", isSlice ? 1L : 2L))),
                    new ResourceSliceNodes.NoKnownNode(),
                    /* shared= */ false,
                    /* boundLate= */ false);
        }

        /** Gives the device to a pod that asks for the name, or to one with a claim of its own. */
        private void claim(String node, DeviceId id, ResourceName name) {
            String user = "uses-" + node + "-" + id.device();
            boolean byName =
                    random.nextBoolean() && nodes.getLast().allocatable().get(name) == 0;
            claims.add(new ResourceClaim(
                    "ml",
                    "of-" + user,
                    byName ? user : "",
                    List.of(),
                    List.of(user),
                    List.of(new ResourceClaim.AllocatedDevice(id, /* shared= */ false))));
            bind(user, node, byName ? Amounts.of(name, 1) : Amounts.NONE);
        }

        private static DeviceClass ofType(String name, ResourceName resource, String type) {
            return new DeviceClass(
                    name,
                    resource.value(),
                    Instant.EPOCH,
                    List.of(DeviceSelector.of("device.driver == '" + DRIVER + "' && device.attributes['" + DRIVER
                            + "'].type == '" + type + "'")));
        }

        Ledger ledger() {
            Ledger ledger = new Ledger();
            DeviceClasses classes =
                    DeviceClasses.of(List.of(ofType(DRIVER, GPU, "gpu"), ofType("mig.nvidia.com", MIG, "mig")));
            ledger.offer(new DraState(
                    new DeviceSupply(classes, DevicePools.of(slices), DeviceSupply.Knowledge.ALL),
                    DeviceClaims.of(claims)));
            var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
            var _ = ledger.apply(new PodEvent.ListBegun());
            var _ = ledger.apply(new PodEvent.PodsPage(pods));
            var _ = ledger.apply(new PodEvent.ListEnded(0, Instant.EPOCH));
            assertThat(new HashSet<>(pods)).hasSameSizeAs(pods);
            return ledger;
        }

        boolean anyTakes(ResourceName name, long amount, boolean now) {
            return model.stream().anyMatch(node -> node.takes(name, amount, now));
        }
    }
}
