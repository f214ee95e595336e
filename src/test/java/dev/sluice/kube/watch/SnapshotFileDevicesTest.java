package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DeviceCount;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects of DRA in a snapshot file, and what they leave unknown where they cannot be read. */
class SnapshotFileDevicesTest {

    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {pods: 110}}
            """;

    private static final String CLASS = """
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.nvidia.com}
            spec:
              extendedResourceName: nvidia.com/gpu
              selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]
            """;

    private static final String SLICE = """
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s1}
            spec:
              driver: gpu.nvidia.com
              nodeName: n1
              pool: {name: p1, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}, {name: gpu-1}]
            """;

    private static final Node N1 =
            new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, Amounts.NONE, Amounts.NONE, 1);

    @TempDir
    private Path directory;

    @Test
    void rulesOfLimitRangesForExtendedResourcesAreRead() throws Exception {
        SnapshotFile.SnapshotContents contents = contents("""
                ---
                apiVersion: v1
                kind: LimitRangeList
                items:
                - metadata: {name: a, namespace: team}
                  spec: {limits: [{type: Container, max: {nvidia.com/gpu: 2, cpu: 1}}]}
                - metadata: {name: b, namespace: other}
                  spec: {limits: [{type: Container, max: {cpu: 1}}]}
                """);

        assertThat(contents.limitRanges().byNamespace()).containsOnlyKeys("team");
        assertThat(contents.warnings()).isEmpty();
    }

    /** Programs that sort the fields of an object write the kind of a list after its items. */
    @Test
    void rulesOfAListWhoseKindStandsLastAreReadAlike() throws Exception {
        SnapshotFile.SnapshotContents contents = contents("""
                ---
                apiVersion: v1
                items:
                - metadata: {name: a, namespace: team}
                  spec: {limits: [{type: Container, max: {nvidia.com/gpu: 2, cpu: 1}}]}
                kind: LimitRangeList
                ---
                apiVersion: v1
                metadata: {name: b, namespace: other}
                spec: {limits: [{type: Pod, max: {nvidia.com/gpu: 4}}]}
                kind: LimitRange
                """);

        assertThat(contents.limitRanges().byNamespace()).containsOnlyKeys("team", "other");
        assertThat(contents.warnings()).isEmpty();
    }

    private DraState read(String... documents) throws Exception {
        return contents(documents).dra();
    }

    private SnapshotFile.SnapshotContents contents(String... documents) throws Exception {
        return SnapshotFile.read(
                Files.writeString(directory.resolve("cluster.yaml"), NODE + String.join("", documents)));
    }

    private static DeviceCount gpus(DraState dra) {
        return dra.supply().offeredOn(N1).getOrDefault(ResourceName.NVIDIA_GPU, DeviceCount.NONE);
    }

    @Test
    void tellsWhatDraOffers() throws Exception {
        assertThat(gpus(read(CLASS, SLICE))).isEqualTo(new DeviceCount(2, 2));
        assertThat(read().supply()).isEqualTo(DeviceSupply.NONE);
        assertThat(read().supply().names().isUnknown()).isFalse();
    }

    @Test
    void aFileWithoutClaimsSaysNothingOfThem() throws Exception {
        assertThat(read(CLASS, SLICE).claims().isKnown()).isFalse();
    }

    /** They belong to no pool that anybody could take a device from. */
    @Test
    void aSliceWithoutAPoolLeavesItsNodeUnknown() throws Exception {
        String pool = "  pool: {name: p1, generation: 1, resourceSliceCount: 1}\n";
        assertThat(gpus(read(CLASS, SLICE.replace(pool, "")))).isEqualTo(DeviceCount.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "devices: 7",
                "devices: [7]",
                "devices: [{name: a, attributes: {a: {int: 99999999999999999999}}}]",
                "devices: [{name: a, capacity: {memory: {value: much}}}]",
                "pool: {generation: 1.5}",
                "nodeName: [a]",
            })
    void aSliceThatCannotBeReadIsNamedAndLeavesAllNodesUnknown(String broken) throws Exception {
        String bad = SLICE.replace("name: s1", "name: bad").replaceAll("(?m)^  (devices|pool|nodeName):.*\n", "");
        SnapshotFile.SnapshotContents contents = contents(CLASS, bad + "  " + broken + "\n");
        assertThat(gpus(contents.dra())).isEqualTo(DeviceCount.UNKNOWN);
        assertThat(contents.warnings()).singleElement().asString().contains("resourceslice bad: ");
    }

    @Test
    void aClassThatCannotBeReadLeavesAllNamesUnknown() throws Exception {
        SnapshotFile.SnapshotContents contents = contents(CLASS.replaceAll("(?m)^  selectors:.*", "  selectors: 7"));
        assertThat(contents.dra().supply().names().isUnknown()).isTrue();
        assertThat(contents.warnings()).singleElement().asString().contains("deviceclass gpu.nvidia.com: ");
    }

    @Test
    void aSelectorThatCannotBeParsedLeavesTheCountUnknown() throws Exception {
        assertThat(gpus(read(CLASS.replace("device.driver ==", "device.driver ==" + " ("), SLICE)))
                .isEqualTo(new DeviceCount(0, 2));
    }

    @Test
    void readsNumbersNearTheLargest() throws Exception {
        String huge = SLICE.replace("generation: 1", "generation: 9223372036854775807")
                        .replace(
                                "[{name: gpu-0}, {name: gpu-1}]",
                                "[{name: gpu-0, consumesCounters: [{counterSet: c, counters: {m: {value: 1e99999999}}}]},"
                                        + " {name: gpu-1, capacity: {memory: {value: 9223372036854775807}}}]")
                + "  sharedCounters: [{name: c, counters: {m: {value: 9223372036854775807}}}]\n";
        assertThat(gpus(read(CLASS, huge))).isEqualTo(new DeviceCount(2, 2));
    }

    @Test
    void textsOf64KiBAreBounded() throws Exception {
        String long64 = "x".repeat(64 * 1024);
        assertThat(gpus(read(
                        CLASS,
                        SLICE.replace("{name: gpu-0}", "{name: gpu-0, attributes: {a: {string: " + long64 + "}}}"))))
                .isEqualTo(new DeviceCount(2, 2));
        assertThat(gpus(read(CLASS.replace("'gpu.nvidia.com'", "'" + long64 + "'"), SLICE)))
                .isEqualTo(new DeviceCount(0, 2));
    }

    @Test
    void objectsOfAnotherVersionAreNoneOfDra() throws Exception {
        assertThat(gpus(read(CLASS.replace("k8s.io/v1", "k8s.io/v1beta1"), SLICE)))
                .isEqualTo(DeviceCount.NONE);
    }

    @Test
    void anObjectWhoseKindStandsLastLeavesUnknownWhatItWouldHaveSaid() throws Exception {
        String lateSlice = SLICE.replace("kind: ResourceSlice\n", "") + "kind: ResourceSlice\n";
        assertThat(gpus(read(CLASS, lateSlice))).isEqualTo(DeviceCount.UNKNOWN);
        String lateClass = CLASS.replace("kind: DeviceClass\n", "") + "kind: DeviceClass\n";
        assertThat(read(lateClass, SLICE).supply().names().isUnknown()).isTrue();
        String lateClaim = """
                ---
                apiVersion: resource.k8s.io/v1
                metadata: {name: c1, namespace: a}
                spec: {}
                kind: ResourceClaim
                """;
        assertThat(read(CLASS, SLICE, CLAIM, lateClaim).claims().isKnown()).isFalse();
        assertThat(read(CLASS, SLICE, CLAIM).claims().isKnown()).isTrue();
    }

    private static final String CLAIM = """
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c0, namespace: a}
            """;

    /** Programs that sort the fields of an object write the kind of a list after its items. */
    @ParameterizedTest
    @ValueSource(strings = {"DeviceClass", "ResourceSlice", "ResourceClaim"})
    void aListWhoseKindStandsLastLeavesUnknownWhatItsItemsWouldHaveSaid(String kind) throws Exception {
        SnapshotFile.SnapshotContents contents = contents(CLASS, SLICE, CLAIM, """
                ---
                apiVersion: resource.k8s.io/v1
                items: [{metadata: {name: late, namespace: a}, spec: {}}]
                kind: %sList
                """.formatted(kind));
        DraState dra = contents.dra();
        assertThat(dra.supply().names().isUnknown()).isEqualTo(kind.equals("DeviceClass"));
        assertThat(gpus(dra).isExact()).isEqualTo(kind.equals("ResourceClaim"));
        assertThat(dra.claims().isKnown()).isEqualTo(!kind.equals("ResourceClaim"));
        assertThat(contents.warnings())
                .containsExactly("the items of a " + kind + "List are not read, because its kind comes after them");
    }
}
