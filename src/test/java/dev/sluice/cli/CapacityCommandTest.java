package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityCommandTest {

    private static final Path MIXED = Path.of("conf/demo/clusters/mixed.yaml");
    private static final Path IN_USE = Path.of("src/test/resources/dev/sluice/cli/in-use.yaml");

    @TempDir
    private Path directory;

    @Test
    void looksLikeThis() {
        Cli shown = Cli.run("capacity", "--cluster-snapshot", MIXED);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE                 ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE   ON NODES   MAX PER NODE
                nvidia.com/gpu                     0           0          0           0     0 of 2              0
                nvidia.com/mig-1g.10gb            28           0          0          28     1 of 2             28
                nvidia.com/mig-2g.20gb             8           0          0           8     1 of 2              8
                nvidia.com/mig-3g.30gb             4           0          0           4     1 of 2              4
                cpu                           127.54           0          0      127.54     2 of 2          63.77
                memory                       990.7Gi           0          0     990.7Gi     2 of 2        495.3Gi
                pods                             220           0          0         220     2 of 2            110

                NODE     RESOURCE                 ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE
                medium   nvidia.com/gpu                     0           0          0           0
                         nvidia.com/mig-2g.20gb             8           0          0           8
                         nvidia.com/mig-3g.30gb             4           0          0           4
                         cpu                            63.77           0          0       63.77
                         memory                       495.3Gi           0          0     495.3Gi
                         pods                             110           0          0         110
                small    nvidia.com/gpu                     0           0          0           0
                         nvidia.com/mig-1g.10gb            28           0          0          28
                         cpu                            63.77           0          0       63.77
                         memory                       495.3Gi           0          0     495.3Gi
                         pods                             110           0          0         110
                """);
        assertThat(shown.err()).isEmpty();
        assertThat(shown.code()).isZero();
    }

    @Test
    void readsAGzippedFileAlike() throws IOException {
        Path zipped = zipped(Files.readString(IN_USE));

        assertThat(Cli.run("capacity", "--cluster-snapshot", zipped))
                .isEqualTo(Cli.run("capacity", "--cluster-snapshot", IN_USE));
    }

    private Path zipped(String text) throws IOException {
        Path file = directory.resolve("cluster.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    @Test
    void aTextThatIsTooLongEndsInOneSentenceThatNamesTheKindTheLimitAndTheOption() throws IOException {
        String pod = "\n- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a, annotations: {x: "
                + "x".repeat(10_000) + "}}, spec: {containers: []}}";
        Path file = zipped("apiVersion: v1\nkind: List\nitems:" + pod.repeat(200));

        for (Object[] command : new Object[][] {
            {"capacity", "--read-limit", "1", "--cluster-snapshot", file},
            {
                "explain",
                "-f",
                Path.of("src/test/resources/cases/affinity-in/pod.yaml"),
                "--read-limit",
                "1",
                "--cluster-snapshot",
                file
            }
        }) {
            Cli refused = Cli.run(command);

            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err())
                    .startsWith(file + ": the text is longer than 1 MiB, most of it of the kind Pod (")
                    .endsWith(" were read); raise the limit with --read-limit, or leave out this kind\n")
                    .hasLineCount(1);
        }
        assertThat(Cli.run("capacity", "--read-limit", "0", "--cluster-snapshot", IN_USE)
                        .err())
                .startsWith("sluice capacity: --read-limit wants at least 1 MiB\n");
    }

    @Test
    void gzipThatIsCutShortIsRefused() throws IOException {
        Path whole = zipped(Files.readString(IN_USE));
        byte[] bytes = Files.readAllBytes(whole);
        Path half = Files.write(directory.resolve("half.gz"), Arrays.copyOf(bytes, bytes.length / 2));

        assertThat(Cli.run("capacity", "--cluster-snapshot", half).err())
                .startsWith(half + ": the file is cut short or no good gzip; ");
    }

    /** Whoever may create pods can write these, and the API server takes them. */
    @Test
    void addsUpTheLargestQuantities() throws IOException {
        String most = "nvidia.com/gpu: " + Long.MAX_VALUE;
        String node = "\n- {apiVersion: v1, kind: Node, metadata: {name: %s}, status: {capacity: {" + most
                + "}, allocatable: {" + most + "}}}";
        String pod = "\n- {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: a}, spec: {containers: [{name: c,"
                + " resources: {limits: {" + most + "}, requests: {" + most + "}}}]}}";
        Path cluster = Files.writeString(
                directory.resolve("cluster.yaml"),
                "apiVersion: v1\nkind: List\nitems:" + node.formatted("m") + node.formatted("n") + pod.formatted("p")
                        + pod.formatted("q"));

        Cli byNamespace = Cli.run("capacity", "--by", "namespace", "--cluster-snapshot", cluster, "-o", "json");
        Cli whole = Cli.run("capacity", "--cluster-snapshot", cluster, "-o", "json");

        assertThat(byNamespace.out().replace(" ", "")).contains("\"waiting\":" + Long.MAX_VALUE);
        assertThat(whole.out()).contains(String.valueOf(Long.MAX_VALUE)).doesNotContain(":-", ": -");
    }

    @Test
    void showsWhoHasTheCapacity() {
        Cli shown = Cli.run("capacity", "--by", "namespace", "--cluster-snapshot", IN_USE);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE                 NAMESPACE   ALLOCATED   OF ALLOCATABLE   WAITING   PODS
                nvidia.com/mig-3g.40gb   team-a              3              75%         2      3
                cpu                      team-a              8               8%       2.5      2
                                         team-b              1               1%         0      1
                memory                   team-a           20Gi               3%    1000Mi      2
                pods                     team-a              1               0%         2      3
                                         team-b              1               0%         0      1
                """);
    }

    @Test
    void showsThePodsThatHaveOneResource() {
        Cli shown = Cli.run("capacity", "--by", "pod", "--resource", "3g.40gb", "--cluster-snapshot", IN_USE);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE                 POD              ALLOCATED   OF ALLOCATABLE   WAITING
                nvidia.com/mig-3g.40gb   team-a/train-0           3              75%         0
                                         team-a/train-1           0               0%         1
                                         team-a/train-2           0               0%         1
                """);
        assertThat(Cli.run(
                                "capacity",
                                "--by",
                                "pod",
                                "--resource",
                                "3g.40gb",
                                "-o",
                                "json",
                                "--cluster-snapshot",
                                IN_USE)
                        .out())
                .isEqualTo("""
                {"allocations":[{"namespace":"team-a","pod":"train-0","resource":"nvidia.com/mig-3g.40gb","pods":1,"allocated":3,"waiting":0,"allocatable":4,"percent":75},{"namespace":"team-a","pod":"train-1","resource":"nvidia.com/mig-3g.40gb","pods":1,"allocated":0,"waiting":1,"allocatable":4,"percent":0},{"namespace":"team-a","pod":"train-2","resource":"nvidia.com/mig-3g.40gb","pods":1,"allocated":0,"waiting":1,"allocatable":4,"percent":0}]}
                """);
    }

    @Test
    void showsWhatIsTakenAndWhatWaits() {
        Cli shown = Cli.run("capacity", "--cluster-snapshot", IN_USE);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE                 ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE   ON NODES   MAX PER NODE
                nvidia.com/gpu                     8           0          0           8     1 of 3              8
                nvidia.com/mig-1g.10gb             6           0          0           6     1 of 3              6
                nvidia.com/mig-3g.40gb             4           3          1           0     1 of 3              0
                cpu                             95.5           9        2.5          84     3 of 3             53
                memory                         756Gi        20Gi     1000Mi       735Gi     3 of 3          479Gi
                ephemeral-storage              900Gi           0          0       900Gi     1 of 3          900Gi
                pods                             330           2          1         327     3 of 3            110

                NODE                           RESOURCE                ALLOCATABLE  ALLOCATED  RESERVED  AVAILABLE
                n1.eu-west-1.compute.internal  nvidia.com/mig-1g.10gb       6 of 7          0         0          6
                                               nvidia.com/mig-3g.40gb            4          3         1          0
                                               cpu                            63.5          8       2.5         53
                                               memory                        500Gi       20Gi    1000Mi      479Gi
                                               ephemeral-storage             900Gi          0         0      900Gi
                                               pods                            110          1         1        108
                n2 (cordoned)                  nvidia.com/gpu                    8          0         0          8
                                               cpu                              16          0         0         16
                                               memory                        128Gi          0         0      128Gi
                                               pods                            110          0         0        110

                1 node without GPUs or other devices is not shown.

                1 pending pod fits on no node; not counted above.
                """);
        assertThat(shown.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    private static final String CLAIMED = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "8", memory: 8Gi, pods: "110"}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.nvidia.com}
            spec:
              extendedResourceName: nvidia.com/gpu
              selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]
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
    private static final String WAITING = """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: team}
            spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: "%d"}}}]}
            """;
    private static final String CLAIM = """
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: other, namespace: team}
            """;

    /** Whether devices are free is not known without the ResourceClaims, and how many there are without the slices. */
    @Test
    void doesNotSayThatAPodFitsNowhereIfThatIsNotKnown() throws IOException {
        String unreadSlice = CLAIMED.replaceAll("devices:.*", "devices: 7") + CLAIM;

        assertThat(capacity(CLAIMED + WAITING.formatted(1)))
                .contains("nvidia.com/gpu")
                .doesNotContain("on no node");
        assertThat(capacity(unreadSlice + WAITING.formatted(1))).doesNotContain("on no node");
        assertThat(capacity(CLAIMED + WAITING.formatted(3))).contains("1 pending pod fits on no node");
        assertThat(capacity(CLAIMED + CLAIM + WAITING.formatted(3))).contains("1 pending pod fits on no node");
    }

    private String capacity(String cluster) throws IOException {
        Path file = Files.writeString(directory.resolve("cluster.yaml"), cluster);
        return Cli.run("capacity", "--cluster-snapshot", file).out();
    }

    @Test
    void writesCoresAndBytesAsNumbers() {
        Cli shown = Cli.run("capacity", "--cluster-snapshot", IN_USE, "--node", "cpu-1", "-o", "json");

        assertThat(shown.out())
                .contains("{\"resource\":\"cpu\",\"capacity\":0,\"allocatable\":16,\"allocated\":1,"
                        + "\"reserved\":0,\"available\":15}")
                .contains("\"resource\":\"memory\",\"capacity\":0,\"allocatable\":137438953472,");
    }

    @Test
    void whatIsAvailableIsNeverNegative() throws IOException {
        Path file = Files.writeString(directory.resolve("full.yaml"), """
                ---
                {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {nvidia.com/gpu: 1}}}
                ---
                {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {nvidia.com/gpu: 4}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: a, namespace: b, uid: 6c1e7d58-0000-4000-8000-000000000001}
                spec: {nodeName: n1, containers: [{name: c, resources: {limits: {nvidia.com/gpu: 3}}}]}
                """);

        Cli shown = Cli.run("capacity", "--cluster-snapshot", file, "--resource", "gpu");

        assertThat(shown.out()).isEqualTo("""
                RESOURCE         ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE   ON NODES   MAX PER NODE
                nvidia.com/gpu             5           3          0           4     2 of 2              4

                NODE   RESOURCE         ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE
                n1     nvidia.com/gpu             1           3          0           0
                n2     nvidia.com/gpu             4           0          0           4
                """);
    }

    @Test
    void longNamesOfNodesStandOnALineOfTheirOwn() throws IOException {
        String name = "ip-10-0-100-200.a-very-long-region-name.compute.internal";
        Path file = Files.writeString(
                directory.resolve("long.yaml"),
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name
                        + "}, status: {allocatable: {nvidia.com/mig-1g.10gb: 1}}}\n");

        Cli shown = Cli.run("capacity", "--cluster-snapshot", file);

        assertThat(shown.out().lines())
                .contains(name)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void takesResourcesByFullAndShortName() {
        Cli full = Cli.run("capacity", "--cluster-snapshot", MIXED, "--resource", "nvidia.com/mig-2g.20gb");
        Cli brief = Cli.run("capacity", "--cluster-snapshot", MIXED, "--resource", "2g.20gb");
        Cli middle = Cli.run("capacity", "--cluster-snapshot", MIXED, "--resource", "mig-2g.20gb");

        assertThat(full.out()).contains("medium   nvidia.com/mig-2g.20gb").doesNotContain("1g.10gb");
        assertThat(brief.out()).isEqualTo(full.out());
        assertThat(middle.out()).isEqualTo(full.out());
    }

    @Test
    void takesOneNodeAsJson() {
        Cli shown = Cli.run(
                "capacity", "--cluster-snapshot", MIXED, "--node", "small", "--resource", "1g.10gb", "-o", "json");

        assertThat(shown.out()).isEqualTo("""
                {"generation":1,"podsKnown":true,"unplaced":0,\
                "passedOver":{"nodes":{"count":0,"names":[]},"pods":{"count":0,"names":[]}},\
                "cluster":[{"resource":"nvidia.com/mig-1g.10gb","capacity":28,"allocatable":28,\
                "allocated":0,"reserved":0,"available":28,"nodes":1,"largest":28,"largestAvailable":28}],\
                "nodes":[{"node":"small","cordoned":false,"resources":[\
                {"resource":"nvidia.com/mig-1g.10gb","capacity":28,"allocatable":28,\
                "allocated":0,"reserved":0,"available":28}]}]}
                """);
    }

    @Test
    void namesTheNearestWhereThereIsNoSuchNodeOrResource() {
        Cli node = Cli.run("capacity", "--cluster-snapshot", MIXED, "--node", "smal");
        Cli resource = Cli.run("capacity", "--cluster-snapshot", MIXED, "--resource", "2g.10gb");

        assertThat(node.code()).isEqualTo(2);
        assertThat(node.err()).isEqualTo("--node smal is not a node of this cluster; nearest: small\n");
        assertThat(resource.code()).isEqualTo(2);
        assertThat(resource.err())
                .isEqualTo("--resource 2g.10gb is on no node of this cluster; nearest: 1g.10gb, 2g.20gb, 3g.30gb\n");
    }

    @ParameterizedTest
    @CsvSource({
        "mig-2g20gb, 'nearest: mig-2g.20gb'",
        "nvidia.com/mig-2g-20gb, 'nearest: nvidia.com/mig-2g.20gb'",
        "nvidia.com/gpus, 'nearest: nvidia.com/gpu'",
        "quantum, no name is similar"
    })
    void suggestsOnlyWhatIsSimilar(String written, String suggested) {
        Cli resource = Cli.run("capacity", "--cluster-snapshot", MIXED, "--resource", written);

        assertThat(resource.err()).startsWith("--resource " + written + " is on no node of this cluster; " + suggested);
    }

    @Test
    void countsManyNodesThatAreAlikeAndShowsUnhealthyDevices() throws IOException {
        String nodes = IntStream.range(0, 5000)
                .mapToObj(i -> """
                        apiVersion: v1
                        kind: Node
                        metadata: {name: gpu-%05d}
                        spec: {unschedulable: %b}
                        status: {capacity: {nvidia.com/gpu: "8"}, allocatable: {nvidia.com/gpu: "%d"}}
                        """.formatted(i, i % 1000 == 7, i == 4999 ? 6 : 8))
                .collect(Collectors.joining("---\n"));
        Path file = Files.writeString(
                directory.resolve("nodes.yaml"),
                nodes + "---\n{apiVersion: v1, kind: Node, metadata: {name: cpu}, status: {allocatable: {cpu: 8}}}\n");

        Cli shown = Cli.run("capacity", "--cluster-snapshot", file);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE         ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE         ON NODES   MAX PER NODE
                nvidia.com/gpu        39,998           0          0      39,998   5,000 of 5,001              8
                cpu                        8           0          0           8       1 of 5,001              8

                NODE                                 RESOURCE         ALLOCATABLE   ALLOCATED   RESERVED   AVAILABLE
                gpu-00000 and 4,993 like it          nvidia.com/gpu             8           0          0           8
                gpu-00007 (cordoned) and 4 like it   nvidia.com/gpu             8           0          0           8
                gpu-04999                            nvidia.com/gpu        6 of 8           0          0           6

                1 node without GPUs or other devices is not shown.
                """);
    }

    @Test
    void saysSoWhereNothingIsThere() throws IOException {
        Path file = Files.writeString(
                directory.resolve("node.yaml"), "apiVersion: v1\nkind: Node\nmetadata: {name: new}\nstatus: {}\n");

        Cli shown = Cli.run("capacity", "--cluster-snapshot", file);

        assertThat(shown.out()).isEqualTo("No node has anything to give (1 node).\n");
        assertThat(shown.code()).isZero();
    }

    /** The scheduler counts claims, so a pod on a node without a plugin does not hold more than there is. */
    @Test
    void whatDraHandsOutIsCountedByClaims() throws IOException {
        String list = Files.readString(Path.of("src/test/resources/doctor/dra-devices-are-all-in-use.yaml"))
                .split("(?m)^---$", -1)[0];
        Path cluster = Files.writeString(directory.resolve("dra.yaml"), list);

        String shown = Cli.run("capacity", "--cluster-snapshot", cluster, "--resource", "nvidia.com/gpu")
                .out()
                .replaceAll("\\s+", " ");

        assertThat(shown)
                .contains("d-1 nvidia.com/gpu 2 2 0 0")
                .contains("Dynamic resource allocation hands out nvidia.com/gpu (class gpu.nvidia.com) on node d-1;"
                        + " devices are held by ml/a, ml/b (claim mine).");
    }

    private static final String CLASS_WITH_TWO_NAMES = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: 8, pods: 110}, capacity: {cpu: 8, pods: 110}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.nvidia.com}
            spec:
              extendedResourceName: nvidia.com/gpu
              selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]
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

    @Test
    void saysWhereANumberIsUnknownAndWhy() throws IOException {
        Path withoutClaims = Files.writeString(directory.resolve("without.yaml"), CLASS_WITH_TWO_NAMES);
        Path withClaims = Files.writeString(directory.resolve("with.yaml"), CLASS_WITH_TWO_NAMES + """
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c1, namespace: team-a}
            spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu.nvidia.com}}]}}
            """);
        Path unreadable = Files.writeString(
                directory.resolve("unreadable.yaml"),
                CLASS_WITH_TWO_NAMES.replace(
                        "device.driver == 'gpu.nvidia.com'", "device.driver.matches('gpu.nvidia.com')"));

        assertThat(unwrapped(withoutClaims))
                .contains("How many are free is unknown, because no ResourceClaim was read")
                .doesNotContain("there may be more");
        assertThat(unwrapped(withClaims)).contains("hands out nvidia.com/gpu").doesNotContain("unknown", "may be more");
        assertThat(unwrapped(unreadable))
                .contains("On node n1 there may be more of them, because a slice or a selector of the class cannot be"
                        + " judged.");
    }

    private static String unwrapped(Path cluster) {
        return Cli.run("capacity", "--cluster-snapshot", cluster).out().replaceAll("\n *", " ");
    }

    /** Both names stand for the same devices. */
    @Test
    void showsEachDeviceOfAClassOnce() throws IOException {
        Path cluster = Files.writeString(directory.resolve("cluster.yaml"), CLASS_WITH_TWO_NAMES);

        assertThat(Cli.run("capacity", "--cluster-snapshot", cluster).out())
                .contains("hands out nvidia.com/gpu")
                .doesNotContain("deviceclass.resource.kubernetes.io");
        assertThat(Cli.run(
                                "capacity",
                                "--cluster-snapshot",
                                cluster,
                                "--resource",
                                "deviceclass.resource.kubernetes.io/gpu.nvidia.com")
                        .out())
                .contains("hands out deviceclass.resource.kubernetes.io/gpu.nvidia.com")
                .doesNotContain("nvidia.com/gpu ");
    }

    @Test
    void showsTheImplicitNameThatAPodAsksFor() throws IOException {
        Path cluster = Files.writeString(directory.resolve("cluster.yaml"), CLASS_WITH_TWO_NAMES + """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: a, uid: u}
                spec:
                  nodeName: n1
                  containers: [{name: c, resources: {limits: {deviceclass.resource.kubernetes.io/gpu.nvidia.com: 1}}}]
                """);

        assertThat(Cli.run("capacity", "--cluster-snapshot", cluster).out())
                .contains("nvidia.com/gpu  ", "deviceclass.resource.kubernetes.io/gpu.nvidia.com  ");
    }
}
