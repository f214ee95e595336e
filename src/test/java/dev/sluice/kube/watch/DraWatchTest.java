package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.Device;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceCount;
import dev.sluice.cluster.dra.DeviceId;
import dev.sluice.cluster.dra.DeviceSelector;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceClaim.AllocatedDevice;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.cluster.dra.ResourceSliceNodes;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.ObjectMeta;
import dev.sluice.kube.watch.ReflectorStatusReport.Withheld;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DraWatchTest {

    private static final String DRIVER = "gpu.nvidia.com";

    private static final DeviceClass GPU = new DeviceClass(
            DRIVER, "nvidia.com/gpu", Instant.EPOCH, List.of(DeviceSelector.of("device.driver == 'gpu.nvidia.com'")));

    private static final Node N1 =
            new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, Amounts.NONE, Amounts.NONE, 1);

    private final AtomicInteger changes = new AtomicInteger();
    private final DraWatch dra = new DraWatch(changes::incrementAndGet);

    private static ResourceSlice slice(String... devices) {
        return new ResourceSlice(
                "s1",
                DRIVER,
                "n1",
                1,
                1,
                new ResourceSliceNodes.NamedNode("n1"),
                List.of(devices).stream().map(DraWatchTest::device).toList(),
                List.of());
    }

    private static Device device(String name) {
        return new Device(
                name,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                new ResourceSliceNodes.NoKnownNode(),
                /* shared= */ false,
                /* boundLate= */ false);
    }

    private static <T> void listed(ReflectedObjects<T> set, Map<String, T> objects) {
        var list = set.list();
        objects.forEach((name, object) -> list.page(List.of(stored(name, object))));
        list.complete(1);
    }

    private static <T> DecodedObject<T> stored(String name, T object) {
        return new DecodedObject<>(new ObjectMeta(name, "", "", "", 1), object);
    }

    private static DeviceCount gpus(DraState state) {
        return state.supply().offeredOn(N1).getOrDefault(ResourceName.NVIDIA_GPU, DeviceCount.NONE);
    }

    @Test
    void nothingIsKnownBeforeTheFirstAnswer() {
        assertThat(dra.isAnswered()).isFalse();
        assertThat(dra.state().supply().names().isUnknown()).isTrue();
        listed(dra.classes(), Map.of());
        assertThat(dra.isAnswered()).isFalse();
        listed(dra.slices(), Map.of());
        assertThat(dra.isAnswered()).isTrue();
        assertThat(dra.state().supply()).isEqualTo(DeviceSupply.NONE);
    }

    @Test
    void anApiServerWithoutTheApiHasNoDra() {
        dra.classes().withheld("404", Withheld.ABSENT);
        dra.slices().withheld("404", Withheld.ABSENT);
        assertThat(dra.isAnswered()).isTrue();
        assertThat(dra.state().supply()).isEqualTo(DeviceSupply.NONE);
    }

    @Test
    void withoutTheRightToReadClassesNothingIsKnown() {
        dra.classes().withheld("403", Withheld.FORBIDDEN);
        dra.slices().withheld("403", Withheld.FORBIDDEN);
        assertThat(dra.isAnswered()).isTrue();
        assertThat(dra.state().supply().names().isUnknown()).isTrue();
    }

    @Test
    void withoutTheRightToReadSlicesEachNodeMayHaveDevices() {
        listed(dra.classes(), Map.of(DRIVER, GPU));
        dra.slices().withheld("403", Withheld.FORBIDDEN);
        assertThat(gpus(dra.state())).isEqualTo(DeviceCount.UNKNOWN);
    }

    @Test
    void followsChanges() {
        listed(dra.classes(), Map.of(DRIVER, GPU));
        listed(dra.slices(), Map.of("s1", slice("a", "b")));
        assertThat(gpus(dra.state())).isEqualTo(new DeviceCount(2, 2));
        dra.slices().seen(stored("s1", slice("a")));
        assertThat(gpus(dra.state())).isEqualTo(new DeviceCount(1, 1));
        dra.slices().removed(new ObjectMeta("s1", "", "", "", 2));
        assertThat(gpus(dra.state())).isEqualTo(DeviceCount.NONE);
        listed(dra.slices(), Map.of("s1", slice("a", "b", "c")));
        assertThat(gpus(dra.state())).isEqualTo(new DeviceCount(3, 3));
        listed(dra.classes(), Map.of());
        assertThat(gpus(dra.state())).isEqualTo(DeviceCount.NONE);
        assertThat(changes).hasValue(6);
    }

    @Test
    void anObjectThatCannotBeReadLeavesUnknownWhatItWouldSay() {
        listed(dra.classes(), Map.of(DRIVER, GPU));
        listed(dra.slices(), Map.of("s1", slice("a")));
        dra.slices().unreadable(MalformedClusterObjects.of(List.of("s2")));
        assertThat(gpus(dra.state())).isEqualTo(new DeviceCount(1, Long.MAX_VALUE));
        dra.slices().unreadable(MalformedClusterObjects.NONE);
        assertThat(gpus(dra.state())).isEqualTo(new DeviceCount(1, 1));
    }

    @Test
    void claimsAreKnownOnlyOnceTheyAreListed() {
        listed(dra.classes(), Map.of(DRIVER, GPU));
        listed(dra.slices(), Map.of("s1", slice("a", "b")));
        assertThat(dra.state().claims().isKnown()).isFalse();
        DeviceId a = new DeviceId(DRIVER, "n1", "a");
        ResourceClaim claim = new ResourceClaim(
                "team", "c", "", List.of(), List.of(), List.of(new AllocatedDevice(a, /* shared= */ false)));
        listed(dra.claims(), Map.of("c", claim));
        assertThat(dra.state().room(N1, Amounts.NONE, List.of()).free().get(ResourceName.NVIDIA_GPU))
                .isEqualTo(1);
        Amounts one = Amounts.of(ResourceName.NVIDIA_GPU, 1);
        assertThat(dra.state().room(N1, Amounts.NONE, List.of(one)).free().get(ResourceName.NVIDIA_GPU))
                .isZero();
        dra.claims().withheld("403", Withheld.FORBIDDEN);
        assertThat(dra.state().claims().isKnown()).isFalse();
    }

    /** A change of one part makes no other part new, so that only what it touches is counted again. */
    @Test
    void whatDoesNotChangeStaysTheSameObject() {
        listed(dra.classes(), Map.of(DRIVER, GPU));
        listed(dra.slices(), Map.of("s1", slice("a")));
        DeviceSupply before = dra.state().supply();
        listed(dra.claims(), Map.of());
        assertThat(dra.state().supply()).isSameAs(before);
        assertThat(dra.state().supply().changedSince(before)).rejects(N1);
        dra.slices().seen(stored("s1", slice("a", "b")));
        assertThat(dra.state().supply().changedSince(before)).accepts(N1);
    }
}
