package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What nodes say of themselves, beside a cluster. The files in {@code doctor-node} follow the formats that NVIDIA
 * publishes for nvidia-smi and the kernel's log at these versions of the driver; no such machine was at hand.
 */
class DoctorBundleOptionTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path RECORDED = Path.of("src/test/resources/doctor-node");

    @TempDir
    private Path directory;

    private Path cluster = Path.of("");

    @BeforeEach
    void writeTheCluster() throws IOException {
        cluster = cluster("\"nvidia.com/mig-3g.40gb\": \"2\", \"nvidia.com/mig-2g.20gb\": \"1\"", "");
    }

    private Path cluster(String resources, String labels) throws IOException {
        String amounts = "{" + resources + ", \"cpu\": \"64\", \"pods\": \"110\"}";
        return Files.writeString(directory.resolve("cluster.json"), """
                {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node",
                  "metadata": {"name": "n1", "creationTimestamp": "2026-11-20T07:00:00Z",
                    "labels": {"nvidia.com/mig.strategy": "mixed"%s}},
                  "status": {"capacity": %s, "allocatable": %s}}]}
                """.formatted(labels, amounts, amounts));
    }

    private static Path recorded(String driver) {
        return RECORDED.resolve("driver-" + driver + ".txt");
    }

    private Path bundle(String text) throws IOException {
        return Files.writeString(directory.resolve("bundle.txt"), text);
    }

    private Cli doctor(Object... more) {
        List<Object> words = new ArrayList<>(List.of("doctor", "--cluster-snapshot", cluster));
        words.addAll(List.of(more));
        return Cli.run(words.toArray());
    }

    /** {@code CODE: explanation} for each finding. */
    private List<String> findings(Path bundle) throws IOException {
        Cli run = doctor("-o", "json", "--node-bundle", bundle);
        assertThat(run.err()).isEmpty();
        List<String> findings = new ArrayList<>();
        for (JsonNode finding : JSON.readTree(run.out()).at("/nodeBundles/0/findings")) {
            findings.add(finding.path("code").asText() + ": "
                    + finding.path("explanation").asText());
        }
        return findings;
    }

    private String refused(Path... bundles) {
        List<Object> words = new ArrayList<>();
        for (Path bundle : bundles) {
            words.addAll(List.of("--node-bundle", bundle));
        }
        Cli run = doctor(words.toArray());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        return run.err();
    }

    @Test
    void theErrorsOfADriverAreTranslated() throws IOException {
        assertThat(findings(recorded("470")))
                .containsExactly(
                        "XidErrors: Xid 31 on GPU 0000:3b:00: a program read or wrote memory of the GPU that is not its"
                                + " own. Look at the pod that ran then, before the hardware.",
                        "XidErrors: Xid 48 on GPU 0000:86:00: a double bit error of the memory, which cannot be"
                                + " corrected. Drain the node and reset the GPU.");
    }

    @Test
    void aDriverThatWasUpdatedUnderneathIsSaidOnceAndAllThatFollowsBeside() throws IOException {
        assertThat(findings(recorded("535")))
                .containsExactly(
                        "DriverMismatch: The loaded kernel module has version 535.183.01, and the driver's libraries"
                                + " have another one: the driver was updated, and the node has not been restarted since.",
                        "XidErrors: Xid 79 on GPU 0000:3b:00, 2 times: the GPU has fallen off the bus. Drain the node"
                                + " and restart it; if it comes back, the GPU, its power or its slot is broken.",
                        "XidErrors: Xid 137 on GPU 0000:86:00: NVIDIA's catalog of Xid errors has its meaning.",
                        "PluginSocketMissing: The kubelet's directory of device plugins has no socket of NVIDIA's: the"
                                + " plugin does not run here.");
    }

    @Test
    void instancesThatTheClusterDoesNotKnowAreNamed() throws IOException {
        assertThat(findings(recorded("570")))
                .containsExactly(
                        "MigModePending: The MIG mode of GPU 00000000:1A:00.0 is Enabled, and Disabled after the GPU's"
                                + " next reset.",
                        "MigInstancesDiffer: The node has 1 MIG instances for nvidia.com/mig-1g.10gb.me, and the cluster"
                                + " has 0. The device plugin registers instances when it starts: restart it.",
                        "MigInstancesDiffer: The node has 0 MIG instances for nvidia.com/mig-2g.20gb, and the cluster"
                                + " has 1. The device plugin registers instances when it starts: restart it.",
                        "RuntimeNotConfigured: No configuration of a container runtime, and no CDI file, names nvidia:"
                                + " containers get no devices. Run nvidia-ctk runtime configure, and restart the"
                                + " runtime.");
    }

    @Test
    void sharedInstancesAndTheSingleStrategyAreNotCompared() throws IOException {
        cluster = cluster(
                "\"nvidia.com/mig-3g.40gb\": \"8\", \"nvidia.com/mig-2g.20gb\": \"1\"",
                ", \"nvidia.com/mig-3g.40gb.replicas\": \"4\"");
        assertThat(findings(recorded("470"))).noneMatch(finding -> finding.startsWith("MigInstancesDiffer"));

        cluster = cluster("\"nvidia.com/gpu\": \"3\"", ", \"nvidia.com/mig.strategy\": \"single\"");
        assertThat(findings(recorded("470"))).noneMatch(finding -> finding.startsWith("MigInstancesDiffer"));
    }

    @Test
    void migThatIsOffContradictsSlicesInTheCluster() throws IOException {
        String off = Files.readString(recorded("470"))
                .replace("Enabled, Enabled", "Disabled, Disabled")
                .replace("registered nvidia.com/mig-3g.40gb 2", "registered nvidia.com/mig-3g.40gb 3");

        assertThat(findings(bundle(off)))
                .contains(
                        "MigModeContradictsNode: The cluster has 2 nvidia.com/mig-3g.40gb on this node, but MIG is on"
                                + " for none of its GPUs. Restart the device plugin.",
                        "RegisteredDiffers: The kubelet has 3 devices of nvidia.com/mig-3g.40gb registered, and the"
                                + " cluster has 2. The kubelet reports them when the plugin registers: restart the"
                                + " plugin.")
                .noneMatch(finding -> finding.startsWith("MigInstancesDiffer"));
    }

    @Test
    void aNodeWithoutADriverSaysSoOnce() throws IOException {
        String none = """
                --- sluice:node ---
                format: 1
                name: n1
                time: 2026-11-20T08:00:00Z
                --- sluice:driver ---
                ! /proc/driver/nvidia/version does not exist: the kernel module is not loaded
                --- sluice:gpus ---
                ! nvidia-smi is not on the PATH
                --- sluice:runtime ---
                /etc/cdi/nvidia.yaml
                --- sluice:end ---
                """;

        assertThat(findings(bundle(none)))
                .containsExactly("DriverNotLoaded: The kernel module of NVIDIA's driver is not loaded. Look at the"
                        + " driver's pod or package.");
        String loaded =
                none.replaceFirst("! /proc.*", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun");
        assertThat(findings(bundle(loaded)))
                .containsExactly("SmiFailed: nvidia-smi says: nvidia-smi is not on the PATH");
    }

    @Test
    void peopleReadItAfterTheNodes() {
        Cli run = doctor("--node-bundle", recorded("570"));

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("\nNode n1 says of itself (2026-11-20T08:00:00Z)\n  MigModePending: The MIG mode of GPU")
                .doesNotContainPattern("(?m)^.{101}");
        assertThat(doctor().out()).doesNotContain("says of itself");
        assertThat(doctor("-o", "json").out()).doesNotContain("nodeBundles");
    }

    @Test
    void whatIsNoBundleOfThisClusterIsRefusedByItsName() throws IOException {
        String good = Files.readString(recorded("470"));

        assertThat(refused(bundle(good.replace("name: n1", "name: n11"))))
                .contains("bundle.txt is of the node n11, which is not in the cluster; nearest: n1");
        assertThat(refused(bundle("GPU 0: NVIDIA A100"))).contains("bundle.txt is not what the script of");
        assertThat(refused(bundle(good.substring(0, good.indexOf("--- sluice:runtime")))))
                .contains("bundle.txt is truncated: it ends within the section checkpoint");
        assertThat(refused(bundle(good.replace("format: 1", "format: 2")))).contains("bundle.txt has format 2");
        assertThat(refused(bundle(good.replace("name: n1", "host: n1")))).contains("bundle.txt names no node");
        assertThat(refused(bundle(good), recorded("535"))).contains("are both of the node n1");
        assertThat(refused(directory.resolve("none.txt")))
                .contains("none.txt does not exist; name what the script")
                .doesNotContain("Exception");
        assertThat(refused(directory)).contains(directory + " is a directory; name a file in it");
    }

    @Test
    void aFileThatNoNodeCanHaveWrittenIsNotRead() throws IOException {
        Path huge = directory.resolve("huge.txt");
        try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
            sparse.setLength(500L << 20);
        }

        assertThat(refused(huge)).contains("huge.txt is larger than 8 MiB");
    }

    @Test
    void whatANodeQuotesCannotSteerATerminal() throws IOException {
        String evil =
                Files.readString(recorded("535")).replace("NVML: Driver/library version mismatch", "\u001b[2J\u0007");

        assertThat(String.join("\n", findings(bundle(evil))))
                .contains("nvidia-smi says: ")
                .doesNotContain("\u001b", "\u0007");
    }

    @Test
    void theScriptIsPrintedAsItIs() {
        Cli run = Cli.run("doctor", "node");

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("#!/bin/sh\n").endsWith("section end\n");
    }
}
