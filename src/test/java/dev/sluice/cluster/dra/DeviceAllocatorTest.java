package dev.sluice.cluster.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeviceAllocatorTest {

    private static final String DRIVER = "gpu.nvidia.com";
    private static final ResourceName MIG = new ResourceName("nvidia.com/mig-3g.40gb");

    private static Node node(String name) {
        return new Node(
                name, Map.of("zone", "a"), List.of(), /* unschedulable= */ false, Amounts.NONE, Amounts.NONE, 1);
    }

    private static Device device(String name, String type, DeviceCounterSet... consumes) {
        return new Device(
                name,
                Map.of("type", new AttributeValue.StringAttribute(type)),
                Map.of(),
                List.of(),
                List.of(consumes),
                new ResourceSliceNodes.NoKnownNode(),
                /* shared= */ false,
                /* boundLate= */ false);
    }

    private static Device tainted(Device device, Taint.Effect effect) {
        return new Device(
                device.name(),
                device.attributes(),
                device.capacity(),
                List.of(new Taint("broken", "", effect)),
                device.consumes(),
                device.nodes(),
                device.shared(),
                device.boundLate());
    }

    private static ResourceSlice slice(String name, String pool, ResourceSliceNodes nodes, Device... devices) {
        return new ResourceSlice(name, DRIVER, pool, 1, 1, nodes, List.of(devices), List.of());
    }

    private static DeviceClass ofType(String type) {
        return new DeviceClass(
                type,
                "",
                Instant.EPOCH,
                List.of(DeviceSelector.of("device.attributes['gpu.nvidia.com'].type == '" + type + "'")));
    }

    private static DeviceCount free(DevicePools pools, String node, DeviceClass wanted, DeviceId... allocated) {
        return new DeviceAllocator(pools.devicesOn(node(node)), Set.of(allocated)::contains).free(wanted);
    }

    private static DeviceId id(String pool, String device) {
        return new DeviceId(DRIVER, pool, device);
    }

    private static DeviceCount exactly(long count) {
        return new DeviceCount(count, count);
    }

    @Test
    void countsTheDevicesOfTheNodeThatNobodyHas() {
        DevicePools pools = DevicePools.of(List.of(
                slice(
                        "s-a",
                        "a",
                        new ResourceSliceNodes.NamedNode("a"),
                        device("0", "gpu"),
                        device("1", "gpu"),
                        device("m", "mig")),
                slice("s-b", "b", new ResourceSliceNodes.NamedNode("b"), device("0", "gpu"))));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(exactly(2));
        assertThat(free(pools, "a", ofType("gpu"), id("a", "1"), id("b", "0"))).isEqualTo(exactly(1));
        assertThat(free(pools, "a", ofType("mig"))).isEqualTo(exactly(1));
        assertThat(free(pools, "c", ofType("gpu"))).isEqualTo(DeviceCount.NONE);
    }

    @Test
    void takesNoDeviceThatATaintKeepsPodsFrom() {
        DevicePools pools = DevicePools.of(List.of(slice(
                "s",
                "a",
                new ResourceSliceNodes.NamedNode("a"),
                tainted(device("0", "gpu"), Taint.Effect.NO_SCHEDULE),
                tainted(device("1", "gpu"), Taint.Effect.NO_EXECUTE),
                tainted(device("2", "gpu"), Taint.Effect.OTHER),
                device("3", "gpu"))));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(exactly(2));
    }

    @Test
    void usesTheNewestGenerationAndOnlyIfItIsComplete() {
        ResourceSlice old = new ResourceSlice(
                "old",
                DRIVER,
                "a",
                1,
                1,
                new ResourceSliceNodes.NamedNode("a"),
                List.of(device("0", "gpu")),
                List.of());
        ResourceSlice half = new ResourceSlice(
                "new-1",
                DRIVER,
                "a",
                2,
                2,
                new ResourceSliceNodes.NamedNode("a"),
                List.of(device("1", "gpu")),
                List.of());
        ResourceSlice otherHalf = new ResourceSlice(
                "new-2",
                DRIVER,
                "a",
                2,
                2,
                new ResourceSliceNodes.NamedNode("a"),
                List.of(device("2", "gpu")),
                List.of());
        assertThat(free(DevicePools.of(List.of(old)), "a", ofType("gpu"))).isEqualTo(exactly(1));
        assertThat(free(DevicePools.of(List.of(old, half)), "a", ofType("gpu"))).isEqualTo(DeviceCount.NONE);
        assertThat(free(DevicePools.of(List.of(old, half, otherHalf)), "a", ofType("gpu")))
                .isEqualTo(exactly(2));
        assertThat(DevicePools.of(List.of(old, half)).all().getFirst().fault()).isEqualTo("it has 1 of 2 slices");
    }

    @Test
    void usesNoPoolWhoseDevicesContradictEachOther() {
        DevicePools twice = DevicePools.of(List.of(
                slice("s", "a", new ResourceSliceNodes.NamedNode("a"), device("0", "gpu"), device("0", "gpu"))));
        assertThat(free(twice, "a", ofType("gpu"))).isEqualTo(DeviceCount.NONE);
        DevicePools uncounted = DevicePools.of(List.of(slice(
                "s",
                "a",
                new ResourceSliceNodes.NamedNode("a"),
                device("0", "gpu", new DeviceCounterSet("no", Map.of("c", 1L))))));
        assertThat(uncounted.all().getFirst().fault()).isEqualTo("a device uses the counter c of no, which is missing");
    }

    @Test
    void findsDevicesThatSeveralNodesCanUse() {
        Device ofB = new Device(
                "b",
                Map.of("type", new AttributeValue.StringAttribute("gpu")),
                Map.of(),
                List.of(),
                List.of(),
                new ResourceSliceNodes.NamedNode("b"),
                /* shared= */ false,
                /* boundLate= */ false);
        DevicePools pools = DevicePools.of(List.of(
                slice("every", "every", new ResourceSliceNodes.EveryNode(), device("0", "gpu")),
                slice("device", "device", new ResourceSliceNodes.ByDevice(), ofB, device("nowhere", "gpu")),
                slice("none", "none", new ResourceSliceNodes.NoKnownNode(), device("0", "gpu")),
                slice("selected", "selected", new ResourceSliceNodes.SelectedNodes(List.of()), device("0", "gpu"))));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(exactly(1));
        assertThat(free(pools, "b", ofType("gpu"))).isEqualTo(exactly(2));
    }

    /** Seen on a real scheduler: twice 3g, then no whole GPU; the whole GPU from an empty node. */
    @Test
    void countsWhatPartitionsTakeOfEachOther() {
        DevicePools pools = DevicePools.of(List.of(
                new ResourceSlice(
                        "s-counters",
                        DRIVER,
                        "a",
                        1,
                        2,
                        new ResourceSliceNodes.NamedNode("a"),
                        List.of(),
                        List.of(new DeviceCounterSet("gpu-0", Map.of("slices", 8L)))),
                new ResourceSlice(
                        "s-devices",
                        DRIVER,
                        "a",
                        1,
                        2,
                        new ResourceSliceNodes.NamedNode("a"),
                        List.of(
                                device("gpu-0", "gpu", new DeviceCounterSet("gpu-0", Map.of("slices", 8L))),
                                device("3g-0", "3g", new DeviceCounterSet("gpu-0", Map.of("slices", 4L))),
                                device("3g-4", "3g", new DeviceCounterSet("gpu-0", Map.of("slices", 4L))),
                                device("1g-0", "1g", new DeviceCounterSet("gpu-0", Map.of("slices", 1L)))),
                        List.of())));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(exactly(1));
        assertThat(free(pools, "a", ofType("3g"))).isEqualTo(exactly(2));
        assertThat(free(pools, "a", ofType("gpu"), id("a", "1g-0"))).isEqualTo(DeviceCount.NONE);
        assertThat(free(pools, "a", ofType("3g"), id("a", "1g-0"))).isEqualTo(exactly(1));
        assertThat(free(pools, "a", ofType("1g"), id("a", "3g-0"), id("a", "3g-4")))
                .isEqualTo(DeviceCount.NONE);
    }

    @Test
    void isNotCertainAfterADeviceThatItCannotJudge() {
        Device odd = new Device(
                "odd",
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                new ResourceSliceNodes.NoKnownNode(),
                /* shared= */ false,
                /* boundLate= */ false);
        DevicePools pools = DevicePools.of(List.of(
                slice("s", "a", new ResourceSliceNodes.NamedNode("a"), device("0", "gpu"), odd, device("2", "gpu"))));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(new DeviceCount(1, 3));
    }

    @Test
    void saysNothingCertainOfDevicesThatClaimsShare() {
        Device shared = new Device(
                "0",
                Map.of("type", new AttributeValue.StringAttribute("gpu")),
                Map.of(),
                List.of(),
                List.of(),
                new ResourceSliceNodes.NoKnownNode(),
                /* shared= */ true,
                /* boundLate= */ false);
        DevicePools pools = DevicePools.of(List.of(slice("s", "a", new ResourceSliceNodes.NamedNode("a"), shared)));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(DeviceCount.UNKNOWN);
    }

    @Test
    void survivesAmountsNearTheLargestNumber() {
        long huge = Long.MAX_VALUE;
        DeviceCounterSet all = new DeviceCounterSet("set", Map.of("c", huge));
        DevicePools pools = DevicePools.of(List.of(new ResourceSlice(
                "s",
                DRIVER,
                "a",
                1,
                1,
                new ResourceSliceNodes.NamedNode("a"),
                List.of(device("0", "gpu", all, all, all), device("1", "gpu", all), device("2", "gpu", all)),
                List.of(all))));
        assertThat(free(pools, "a", ofType("gpu"))).isEqualTo(exactly(1));
    }

    @Test
    void classesOfOneNameAreChosenByTheirAge() {
        Instant later = Instant.EPOCH.plusSeconds(1);
        DeviceClass old = new DeviceClass("a", MIG.value(), Instant.EPOCH, List.of());
        DeviceClass low = new DeviceClass("b", MIG.value(), later, List.of());
        DeviceClass high = new DeviceClass("c", MIG.value(), later, List.of());
        for (List<DeviceClass> order : List.of(List.of(old, low, high), List.of(high, low, old))) {
            DeviceClasses classes = DeviceClasses.of(order);
            assertThat(classes.classOf(MIG)).contains(low);
            assertThat(classes.classOf(new ResourceName("deviceclass.resource.kubernetes.io/a")))
                    .contains(old);
        }
    }

    @Test
    void onlyClassesOfGpusCount() {
        assertThat(new DeviceClass("x", "nvidia.com/gpu", Instant.EPOCH, List.of()).isOfGpus())
                .isTrue();
        assertThat(new DeviceClass("gpu.amd.com", "", Instant.EPOCH, List.of()).isOfGpus())
                .isTrue();
        assertThat(new DeviceClass(
                                "mig",
                                "example.com/slice",
                                Instant.EPOCH,
                                List.of(DeviceSelector.of("device.driver == 'gpu.nvidia.com'")))
                        .isOfGpus())
                .isTrue();
        assertThat(new DeviceClass(
                                "daemon",
                                "",
                                Instant.EPOCH,
                                List.of(DeviceSelector.of("device.driver == 'compute-domain.nvidia.com'")))
                        .isOfGpus())
                .isFalse();
        assertThat(new DeviceClass("rdma", "example.com/nic", Instant.EPOCH, List.of()).isOfGpus())
                .isFalse();
    }

    /** A class is compared once with devices that are alike, so all that a selector can read must tell them apart. */
    @Test
    void devicesThatDifferInOneThingAreToldApart() {
        ResourceSliceNodes here = new ResourceSliceNodes.NamedNode("a");
        Device plain = device("0", "gpu");
        Device large = new Device(
                "1",
                plain.attributes(),
                Map.of("memory", Quantity.of(80)),
                List.of(),
                List.of(),
                plain.nodes(),
                /* shared= */ false,
                /* boundLate= */ false);
        Device shared = new Device(
                "2",
                plain.attributes(),
                Map.of(),
                List.of(),
                List.of(),
                plain.nodes(),
                /* shared= */ true,
                /* boundLate= */ false);
        DevicePools pools = DevicePools.of(List.of(
                slice("s", "a", here, plain, device("3", "mig"), large, shared, device("4", "gpu")),
                new ResourceSlice("t", "other.example", "b", 1, 1, here, List.of(plain), List.of())));

        assertThat(free(pools, "a", selecting("device.driver == 'other.example'")))
                .isEqualTo(exactly(1));
        assertThat(free(pools, "a", selecting("'memory' in device.capacity['gpu.nvidia.com']")))
                .isEqualTo(exactly(1));
        assertThat(free(pools, "a", selecting("device.driver == 'gpu.nvidia.com' && !device.allowMultipleAllocations")))
                .isEqualTo(exactly(4));
        assertThat(free(pools, "a", selecting("device.attributes['gpu.nvidia.com'].type == 'mig'")))
                .isEqualTo(new DeviceCount(1, 2));
    }

    private static DeviceClass selecting(String expression) {
        return new DeviceClass("c", "", Instant.EPOCH, List.of(DeviceSelector.of(expression)));
    }

    /** Otherwise a file with thousands of classes and devices keeps a command busy for minutes. */
    @Test
    void classesBeyondALimitOfComparisonsAreUnknown() {
        Device[] devices = IntStream.range(0, 1_000)
                .mapToObj(number -> device("d" + number, "gpu"))
                .toArray(Device[]::new);
        List<DeviceClass> classes = IntStream.range(1_000, 2_000)
                .mapToObj(number -> new DeviceClass(
                        "c" + number,
                        "nvidia.com/gpu-" + number,
                        Instant.EPOCH,
                        List.of(DeviceSelector.of("device.driver == 'gpu.nvidia.com'"))))
                .toList();
        DeviceSupply supply = new DeviceSupply(
                DeviceClasses.of(classes),
                DevicePools.of(List.of(slice("s", "a", new ResourceSliceNodes.NamedNode("a"), devices))),
                DeviceSupply.Knowledge.ALL);
        Map<ResourceName, DeviceCount> offered = supply.offeredOn(node("a"));

        long known = DeviceAllocator.MOST_COMPARISONS / (2L * devices.length);
        assertThat(offered.values()).filteredOn(DeviceCount::isExact).hasSize(Math.toIntExact(2 * known));
        assertThat(offered).hasSize(2 * classes.size());
        assertThat(offered.get(new ResourceName("nvidia.com/gpu-1000"))).isEqualTo(exactly(1_000));
        assertThat(offered.get(new ResourceName("nvidia.com/gpu-1999"))).isEqualTo(DeviceCount.UNKNOWN);
    }

    @Test
    void aNodeOffersByClaimsWhatItsPluginDoesNotOffer() {
        DeviceSupply supply = new DeviceSupply(
                DeviceClasses.of(List.of(new DeviceClass(
                        "gpu.nvidia.com",
                        "nvidia.com/gpu",
                        Instant.EPOCH,
                        List.of(DeviceSelector.of("device.driver == 'gpu.nvidia.com'"))))),
                DevicePools.of(List.of(slice(
                        "a", "a", new ResourceSliceNodes.NamedNode("a"), device("0", "gpu"), device("1", "gpu")))),
                DeviceSupply.Knowledge.ALL);
        ResourceName implicit = new ResourceName("deviceclass.resource.kubernetes.io/gpu.nvidia.com");
        assertThat(supply.offeredOn(node("a")))
                .isEqualTo(Map.of(ResourceName.NVIDIA_GPU, exactly(2), implicit, exactly(2)));
        assertThat(supply.offeredOn(withPlugin(0))).containsKey(ResourceName.NVIDIA_GPU);
        assertThat(supply.offeredOn(withPlugin(1))).isEqualTo(Map.of(implicit, exactly(2)));
        assertThat(supply.offeredOn(node("b"))).isEmpty();
    }

    private static Node withPlugin(long gpus) {
        Amounts amounts = Amounts.of(Map.of(ResourceName.NVIDIA_GPU, Quantity.of(gpus)));
        return new Node("a", Map.of(), List.of(), /* unschedulable= */ false, amounts, amounts, 1);
    }

    static IntStream seeds() {
        return IntStream.range(0, 500);
    }

    /** The oracle tries all subsets, the smaller bits first, as the scheduler tries combinations. */
    @ParameterizedTest
    @MethodSource("seeds")
    void agreesWithAllSubsetsOfSmallPools(int seed) {
        Random random = new Random(seed);
        List<String> types = List.of("gpu", "3g", "1g");
        int size = 1 + random.nextInt(9);
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String set = "gpu-" + random.nextInt(2);
            DeviceCounterSet[] consumes = random.nextInt(4) == 0
                    ? new DeviceCounterSet[0]
                    : new DeviceCounterSet[] {
                        new DeviceCounterSet(set, Map.of("x", (long) random.nextInt(4), "y", (long) random.nextInt(3)))
                    };
            Device device = device("d" + i, types.get(random.nextInt(3)), consumes);
            devices.add(random.nextInt(8) == 0 ? tainted(device, Taint.Effect.NO_SCHEDULE) : device);
        }
        List<DeviceCounterSet> counters = List.of(
                new DeviceCounterSet("gpu-0", Map.of("x", 4L, "y", 3L)),
                new DeviceCounterSet("gpu-1", Map.of("x", 3L, "y", 9L)));
        DevicePools pools = DevicePools.of(List.of(
                new ResourceSlice("s", DRIVER, "a", 1, 1, new ResourceSliceNodes.NamedNode("a"), devices, counters)));
        Set<DeviceId> allocated = new HashSet<>();
        for (Device each : devices) {
            if (random.nextInt(5) == 0) {
                allocated.add(id("a", each.name()));
            }
        }
        DeviceClass wanted = ofType(types.get(random.nextInt(3)));
        DeviceAllocator allocator = new DeviceAllocator(pools.devicesOn(node("a")), allocated::contains);
        int largest = IntStream.rangeClosed(0, size)
                .filter(count ->
                        oracle(devices, counters, allocated, wanted, count).isPresent())
                .max()
                .orElse(0);
        assertThat(allocator.free(wanted)).isEqualTo(exactly(largest));
        int asked = random.nextInt(largest + 2);
        assertThat(allocator.take(wanted, asked)).isEqualTo(oracle(devices, counters, allocated, wanted, asked));
        if (asked <= largest) {
            oracle(devices, counters, allocated, wanted, asked).orElseThrow().forEach(allocated::add);
        }
        DeviceClass next = ofType(types.get(random.nextInt(3)));
        int left = IntStream.rangeClosed(0, size)
                .filter(count ->
                        oracle(devices, counters, allocated, next, count).isPresent())
                .max()
                .orElse(0);
        assertThat(allocator.free(next)).isEqualTo(exactly(left));
    }

    private static Optional<List<DeviceId>> oracle(
            List<Device> devices,
            List<DeviceCounterSet> counters,
            Set<DeviceId> allocated,
            DeviceClass wanted,
            int count) {
        Map<String, Long> left = new HashMap<>();
        counters.forEach(set -> set.counters().forEach((name, amount) -> left.put(set.name() + "/" + name, amount)));
        devices.stream()
                .filter(each -> allocated.contains(id("a", each.name())))
                .forEach(each -> take(left, each));
        List<Device> fit = devices.stream()
                .filter(each -> !allocated.contains(id("a", each.name())) && !each.isTainted())
                .filter(each -> wanted.contains(DRIVER, each) == DraCertainty.YES)
                .toList();
        List<List<Device>> subsets = new ArrayList<>();
        for (int bits = 0; bits < 1 << fit.size(); bits++) {
            int chosen = bits;
            if (Integer.bitCount(bits) == count) {
                subsets.add(IntStream.range(0, fit.size())
                        .filter(i -> (chosen & (1 << i)) != 0)
                        .mapToObj(fit::get)
                        .toList());
            }
        }
        return subsets.stream()
                .filter(subset -> {
                    Map<String, Long> after = new HashMap<>(left);
                    subset.forEach(each -> take(after, each));
                    return subset.stream().allMatch(each -> each.consumes().isEmpty())
                            || after.values().stream().allMatch(amount -> amount >= 0);
                })
                .map(subset -> subset.stream().map(each -> id("a", each.name())).toList())
                .min(DeviceAllocatorTest::inOrder);
    }

    private static int inOrder(List<DeviceId> one, List<DeviceId> other) {
        for (int i = 0; i < one.size(); i++) {
            int order = one.get(i).device().compareTo(other.get(i).device());
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static void take(Map<String, Long> left, Device device) {
        device.consumes()
                .forEach(set -> set.counters()
                        .forEach((name, amount) -> left.merge(set.name() + "/" + name, -amount, Long::sum)));
    }
}
