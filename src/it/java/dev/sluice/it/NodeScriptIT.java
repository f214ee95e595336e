package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.NodeBundle;
import dev.sluice.doctor.NodeBundle.GpuLine;
import dev.sluice.doctor.NodeBundle.Xid;
import dev.sluice.doctor.NodeBundleReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of {@code sluice doctor node} runs here, beside programs that answer as those of a GPU node would. */
class NodeScriptIT {

    @TempDir
    private Path programs;

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static NodeBundle run(String path) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "src/main/resources/doctor-node.sh");
        builder.environment().putAll(Map.of("PATH", path, "NODE_NAME", "n1"));
        Process script = builder.redirectErrorStream(true).start();
        NodeBundleReader reader = new NodeBundleReader();
        try (BufferedReader lines = script.inputReader()) {
            lines.lines().forEach(reader::read);
        }
        assertThat(script.waitFor()).isZero();
        return reader.end();
    }

    private String pathWithPrograms() {
        return programs + ":" + System.getenv("PATH");
    }

    @Test
    void aNodeWithoutGpusSaysWhatIsMissingAndFailsNowhere() throws Exception {
        NodeBundle bundle = run(System.getenv("PATH"));

        assertThat(bundle.name()).isEqualTo("n1");
        assertThat(bundle.time()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(bundle.gpus()).isEmpty();
        assertThat(bundle.complaint()).contains("nvidia-smi is not on the PATH");
    }

    @Test
    void whatTheDriversProgramsSayIsPassedOn() throws Exception {
        program("nvidia-smi", """
                case $* in
                    *--query-gpu*) echo '0, 00000000:3B:00.0, NVIDIA A100-SXM4-80GB, 535.183.01, Enabled, Disabled' ;;
                    -L) printf 'GPU 0: NVIDIA A100 (UUID: GPU-1)\\n  MIG 3g.40gb     Device  0: (UUID: MIG-1)\\n' ;;
                    *) exit 9 ;;
                esac
                """);
        program("journalctl", """
                echo '2026-11-20T07:31:40+0000 n1 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, off the bus'
                echo '2026-11-20T07:31:40+0000 n1 kernel: eth0: link is up'
                """);

        NodeBundle bundle = run(pathWithPrograms());

        assertThat(bundle.gpus())
                .containsExactly(
                        new GpuLine("00000000:3B:00.0", "NVIDIA A100-SXM4-80GB", "535.183.01", "Enabled", "Disabled"));
        assertThat(bundle.migInstances()).isEqualTo(Map.of(new ResourceName("nvidia.com/mig-3g.40gb"), 1));
        assertThat(bundle.xids()).containsExactly(new Xid("0000:3b:00", 79));
        assertThat(bundle.complaint()).isEmpty();
    }

    @Test
    void aProgramThatFailsIsALine() throws Exception {
        program("nvidia-smi", "echo 'Failed to initialize NVML: Driver/library version mismatch' >&2; exit 18\n");

        assertThat(run(pathWithPrograms()).complaint())
                .contains("Failed to initialize NVML: Driver/library version mismatch");
    }
}
