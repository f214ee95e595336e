package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityCommandTest {

    private static final Path MIXED = Path.of("conf/demo/clusters/mixed.yaml");

    @TempDir
    private Path directory;

    @Test
    void looksLikeThis() {
        Cli shown = Cli.run("capacity", "--cluster-snapshot", MIXED);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE                 ALLOCATABLE   ON NODES   LARGEST
                nvidia.com/gpu                     0     0 of 2         0
                nvidia.com/mig-1g.10gb            28     1 of 2        28
                nvidia.com/mig-2g.20gb             8     1 of 2         8
                nvidia.com/mig-3g.30gb             4     1 of 2         4

                NODE     RESOURCE                 ALLOCATABLE
                medium   nvidia.com/gpu                     0
                medium   nvidia.com/mig-2g.20gb             8
                medium   nvidia.com/mig-3g.30gb             4
                small    nvidia.com/gpu                     0
                small    nvidia.com/mig-1g.10gb            28
                """);
        assertThat(shown.err()).isEmpty();
        assertThat(shown.code()).isZero();
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
                {"generation":1,\
                "cluster":[{"resource":"nvidia.com/mig-1g.10gb","capacity":28,"allocatable":28,"nodes":1,"largest":28}],\
                "nodes":[{"node":"small","resources":[{"resource":"nvidia.com/mig-1g.10gb","capacity":28,"allocatable":28}]}]}
                """);
    }

    @Test
    void namesTheNearestWhereThereIsNoSuchNodeOrResource() {
        Cli node = Cli.run("capacity", "--cluster-snapshot", MIXED, "--node", "smal");
        Cli resource = Cli.run("capacity", "--cluster-snapshot", MIXED, "--resource", "2g.10gb");

        assertThat(node.code()).isEqualTo(2);
        assertThat(node.err()).isEqualTo("--node smal is no node of this cluster; nearest: small, medium\n");
        assertThat(resource.code()).isEqualTo(2);
        assertThat(resource.err())
                .isEqualTo("--resource 2g.10gb is on no node of this cluster; nearest: 1g.10gb, 2g.20gb, 3g.30gb\n");
    }

    @Test
    void countsManyNodesThatAreAlikeAndShowsUnhealthyDevices() throws IOException {
        String nodes = IntStream.range(0, 5000)
                .mapToObj(i -> """
                        apiVersion: v1
                        kind: Node
                        metadata: {name: gpu-%05d}
                        status: {capacity: {nvidia.com/gpu: "8"}, allocatable: {nvidia.com/gpu: "%d"}}
                        """.formatted(i, i == 7 ? 6 : 8))
                .collect(Collectors.joining("---\n"));
        Path file = Files.writeString(
                directory.resolve("nodes.yaml"),
                nodes + "---\n{apiVersion: v1, kind: Node, metadata: {name: cpu}, status: {allocatable: {cpu: 8}}}\n");

        Cli shown = Cli.run("capacity", "--cluster-snapshot", file);

        assertThat(shown.out()).isEqualTo("""
                RESOURCE         ALLOCATABLE         ON NODES   LARGEST
                nvidia.com/gpu        39,998   5,000 of 5,001         8

                NODE                          RESOURCE         ALLOCATABLE
                gpu-00000 and 4,998 like it   nvidia.com/gpu             8
                gpu-00007                     nvidia.com/gpu        6 of 8

                1 more node has none.
                """);
    }

    @Test
    void saysSoWhereNothingIsThere() throws IOException {
        Path file = Files.writeString(
                directory.resolve("node.yaml"),
                "apiVersion: v1\nkind: Node\nmetadata: {name: cpu}\nstatus: {allocatable: {cpu: 8}}\n");

        Cli shown = Cli.run("capacity", "--cluster-snapshot", file);

        assertThat(shown.out()).isEqualTo("No node has a GPU or another extended resource (1 node).\n");
        assertThat(shown.code()).isZero();
    }
}
