package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An author of files attacks the packaged {@code sluice doctor} of the administrator who diagnoses them. */
class HostileFilesIT {

    /** The kernel tells memory in KiB. */
    private static final int KIBIBYTE = 1 << 10;

    /** Heap, direct memory and code are 304 MiB in the launcher, and the virtual machine comes on top. */
    private static final long LIMIT = 448L << 20;

    /** Three million are the whole bomb. */
    private static final int EVENTS = Integer.getInteger("hostile.events", 300_000);

    private static final int BLANKS = Integer.getInteger("hostile.blanks", 300) << 20;

    /**
     * The limit for a command that reads one of these files. It separates work that is bounded from work that is not,
     * and is no measurement: a command needs ten seconds, and twenty with other tests beside it.
     */
    private static final Duration MOST_TIME = Duration.ofMinutes(1);

    private static final String POD =
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"good\",\"name\":\"waits\"},\"spec\":"
                    + "{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"1\"}}}]},"
                    + "\"status\":{\"phase\":\"Pending\"}}";

    @TempDir
    private Path directory;

    private interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private static Path written(Path file, Content content) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            content.writeTo(out);
        }
        return file;
    }

    private Path zipped(String name, Content content) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream out = new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
            content.writeTo(out);
        }
        return file;
    }

    private Path bomb() throws IOException {
        return zipped("bomb.json.gz", out -> {
            out.write("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[".getBytes(UTF_8));
            out.write(POD.getBytes(UTF_8));
            for (int event = 0; event < EVENTS; event++) {
                out.write(
                        (",{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"metadata\":{\"namespace\":\"evil\",\"name\":\"e"
                                        + event
                                        + "\"},\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"evil\",\"name\":\"p"
                                        + event + "\"},\"reason\":\"FailedScheduling\",\"message\":\"" + "m".repeat(400)
                                        + "\"}")
                                .getBytes(UTF_8));
            }
            out.write("]}".getBytes(UTF_8));
        });
    }

    /** Runs the command and measures the most memory that its process had. */
    private Command.Ended measured(String command, Path input, String... more) throws IOException {
        Path memory = directory.resolve("memory");
        List<String> words = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "\"$@\" & pid=$!; while [ -r /proc/$pid/status ] && grep VmHWM /proc/$pid/status > '" + memory
                        + ".new' 2>/dev/null; do mv '" + memory + ".new' '" + memory
                        + "'; sleep 0.02; done; wait $pid",
                "sh",
                Gateway.LAUNCHER.toString(),
                command,
                "--cluster-snapshot",
                input.toString()));
        words.addAll(List.of(more));
        Command.Ended ended = Command.in(Path.of("."), words)
                .with("SLUICE_JAVA_HOME", System.getProperty("java.home"))
                .run();
        long peak = KIBIBYTE * Long.parseLong(Files.readString(memory).replaceAll("\\D", ""));
        System.out.printf("%s: %d bytes, peak %d MiB%n", input.getFileName(), Files.size(input), peak >> 20);
        assertThat(peak).isLessThan(LIMIT);
        return ended;
    }

    private Command.Ended doctor(Path input, String... more) throws IOException {
        return measured("doctor", input, more);
    }

    @Test
    void aBombOfEventsLeavesOutItsNamespaceAndNothingElse() throws Exception {
        Command.Ended ended = doctor(bomb());

        assertThat(ended.code()).as(ended.complaint()).isZero();
        assertThat(ended.output().lines().findFirst().orElseThrow()).contains(EVENTS + " events");
        assertThat(ended.output())
                .contains("Pod good/waits", EVENTS + " objects of namespace evil are left out")
                .contains("MiB", "SLUICE_JAVA_OPTS");
    }

    @Test
    void aTextBeyondTheLimitEndsInOneSentenceWithKindLimitAndOption() throws Exception {
        Command.Ended ended = doctor(bomb(), "--read-limit", "20");

        assertThat(ended.code()).as(ended.output()).isEqualTo(2);
        assertThat(ended.complaint().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("20 MiB", "most of it", "events", "--read-limit"));
    }

    @Test
    void zippedBlanksEndInOneSentence() throws Exception {
        byte[] blanks = " ".repeat(1 << 16).getBytes(UTF_8);
        Path file = zipped("blanks.json.gz", out -> {
            for (int written = 0; written < BLANKS; written += blanks.length) {
                out.write(blanks);
            }
        });
        Path within = zipped("within.json.gz", out -> {
            out.write("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[".getBytes(UTF_8));
            for (int written = 0; written < BLANKS; written += blanks.length) {
                out.write(blanks);
            }
        });

        for (Command.Ended ended : List.of(doctor(file), doctor(within), doctor(within, "--read-limit", "100"))) {
            assertThat(ended.code()).as(ended.output()).isEqualTo(2);
            assertThat(ended.complaint().lines()).hasSize(1);
        }
    }

    /** Thousands of classes with many selectors each, for each of which thousands of devices are looked at. */
    @Test
    void classesAndDevicesWithoutNumberAreUnknownInTime() throws Exception {
        String selector =
                "{\"cel\":{\"expression\":\"device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type"
                        + " == 'gpu'\"}}";
        Path file = written(directory.resolve("classes.json"), out -> {
            out.write("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[".getBytes(UTF_8));
            out.write(POD.getBytes(UTF_8));
            for (int node = 0; node < 50; node++) {
                out.write((",{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n" + node
                                + "\"},\"status\":{\"allocatable\":{\"cpu\":\"8\",\"pods\":\"110\"}}}")
                        .getBytes(UTF_8));
            }
            for (int number = 0; number < 1_800; number++) {
                out.write((",{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\",\"metadata\":{\"name\":\"c"
                                + number + "\"},\"spec\":{\"extendedResourceName\":\"nvidia.com/gpu-" + number
                                + "\",\"selectors\":[" + String.join(",", Collections.nCopies(20, selector)) + "]}}")
                        .getBytes(UTF_8));
            }
            for (int number = 0; number < 2_000; number++) {
                out.write(
                        (",{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"s"
                                        + number
                                        + "\"},\"spec\":{\"driver\":\"gpu.nvidia.com\",\"allNodes\":true,\"pool\":{\"name\":\"p"
                                        + number
                                        + "\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":[{\"name\":\"d\",\"attributes\":"
                                        + "{\"type\":{\"string\":\"gpu\"}}}]}}")
                                .getBytes(UTF_8));
            }
            out.write("]}".getBytes(UTF_8));
        });

        String diagnosed = inTime("doctor", file);
        assertThat(diagnosed)
                .contains("NeverFitsOneNode", "Pod good/waits requests nvidia.com/gpu: 1")
                .contains("no DeviceClass maps that name");

        String capacity = inTime("capacity", file);
        assertThat(capacity)
                .as("the first classes are compared with all devices")
                .containsPattern("nvidia.com/gpu-0 100,000 0 0 100,000 50 of 50 2,000")
                .as("what was not compared is unknown, and is not counted as 0")
                .doesNotContainPattern("nvidia.com/gpu-999 [\\d,]+ \\d")
                .containsPattern(
                        "nvidia.com/gpu-999 \\(class c999\\)[^.]*\\. How many are free is unknown[^.]*\\. On nodes"
                                + "[^.]* there may be more of them, because a slice or a selector of the class cannot be judged");
    }

    /** Runs the command on a file. Returns its output with single blanks in place of line breaks and columns. */
    private String inTime(String command, Path file) throws IOException {
        long begun = System.nanoTime();
        Command.Ended ended = measured(command, file);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(command).isLessThan(MOST_TIME);
        assertThat(ended.code()).as(ended.complaint()).isZero();
        assertThat(ended.complaint()).as(command).isEmpty();
        return ended.output().replaceAll("\\s+", " ");
    }

    @Test
    void aStrayFileOfADumpIsNamedAndTheRestIsDiagnosed() throws Exception {
        Path dump = Files.createDirectories(directory.resolve("dump"));
        Files.writeString(
                dump.resolve("pods.json"), "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" + POD + "]}");
        Files.writeString(dump.resolve("stray.json"), "no list \u001b[31m");
        Command.Ended ended = doctor(dump);

        assertThat(ended.code()).as(ended.complaint()).isZero();
        assertThat(ended.output()).contains("good/waits", "stray.json").doesNotContain("\u001b");
    }
}
