package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.quantity.ResourceName;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration that is a directory: its files are merged, and no file wins against another. */
class ConfigDirectoryTest {

    @TempDir
    private Path directory;

    private void file(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private ConfigLoader.Loading load() {
        return ConfigLoader.load(directory, Map.of());
    }

    private GatewayConfig config() {
        return Loads.loaded(load()).config();
    }

    /** The problems, with the name of the directory left out. */
    private List<String> problems() {
        return written(load().problems());
    }

    private List<String> written(List<ConfigProblem> problems) {
        return problems.stream()
                .map(problem -> problem.toString().replace(directory + "/", "").replace(directory.toString(), "DIR"))
                .toList();
    }

    @Test
    void theKeysOfAllFilesCount() throws IOException {
        file("gateway.yaml", "policy: {whenNotOffered: deny}\n");
        file("availability.yaml", "policy: {mode: availability}\npeers: {certificate: a, key: b, authority: c}\n");
        file("self-managed.yml", "tls: {mode: self-managed}\n");

        GatewayConfig config = config();

        assertThat(config.policy().base().whenNotOffered()).isEqualTo(Policy.WhenNotOffered.DENY);
        assertThat(config.policy().base().mode()).isEqualTo(Policy.Mode.AVAILABILITY);
        assertThat(config.peers().key()).isEqualTo(Path.of("b"));
        assertThat(config.tls().mode()).isEqualTo(GatewayConfig.TlsMode.SELF_MANAGED);
        assertThat(load().keyPositions().positionOf("peers.key"))
                .hasValueSatisfying(position -> assertThat(position).hasToString(directory + "/availability.yaml:2"));
    }

    @Test
    void mapsAreMergedAtEveryDepth() throws IOException {
        file("a.yaml", """
                policy:
                  chains: {nvidia.com/mig-2g.20gb: [nvidia.com/mig-1g.10gb]}
                  namespaces: {team-a: {whenNotOffered: deny}}
                """);
        file("b.yaml", """
                policy:
                  chains: {nvidia.com/mig-3g.40gb: []}
                  namespaces: {team-a: {helpText: ask us}, team-b: {whenNotOffered: deny}}
                """);

        GatewayConfig config = config();

        assertThat(config.policy().base().chains().byHead().keySet())
                .extracting(ResourceName::value)
                .containsExactly("nvidia.com/mig-2g.20gb", "nvidia.com/mig-3g.40gb");
        Policy merged = config.policy().forNamespace("team-a");
        assertThat(merged.whenNotOffered()).isEqualTo(Policy.WhenNotOffered.DENY);
        assertThat(merged.helpText()).isEqualTo("ask us");
        assertThat(config.policy().forNamespace("team-b").whenNotOffered()).isEqualTo(Policy.WhenNotOffered.DENY);
    }

    @Test
    void differentValuesOfOneKeyAreAProblemThatNamesBothFilesAndLines() throws IOException {
        file("availability.yaml", "policy:\n  mode: availability\n");
        file("gateway.yaml", "# mine\npolicy:\n  whenNotOffered: deny\n  mode: allocatable\n");

        assertThat(problems())
                .containsExactly("gateway.yaml:4: policy.mode is \"allocatable\" here and \"availability\" in"
                        + " availability.yaml:2, keep one of the two");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "webhook: {port: 1} | webhook: {port: 2} | webhook.port is 2 here and 1 in a.yaml:1, keep one of the two",
                "webhook: {port: 1} | webhook: {port: '1'} | webhook.port is \"1\" here and 1 in a.yaml:1, keep one of the two",
                "webhook: {host: a} | webhook: {host: null} | webhook.host is null here and \"a\" in a.yaml:1, keep one of the two",
                "webhook: {port: 1} | webhook: 2 | webhook is 2 here and a map in a.yaml:1, keep one of the two",
                "tls: {clientCa: a, clientNames: [x]} | tls: {clientNames: [x, y]} | tls.clientNames is another list than in"
                        + " a.yaml:1, write the whole list into one of the two files",
                "tls: {clientCa: a, clientNames: [x]} | tls: {clientNames: x} | tls.clientNames is \"x\" here and a list in"
                        + " a.yaml:1, keep one of the two",
                "policy: {chains: {a.b/c: [a.b/d]}} | policy: {chains: {a.b/c: []}} | policy.chains.\"a.b/c\" is another list"
                        + " than in a.yaml:1, write the whole list into one of the two files",
            })
    void aConflictSaysWhatEachFileHas(String first, String second, String problem) throws IOException {
        file("a.yaml", first);
        file("b.yaml", second);

        assertThat(problems()).containsExactly("b.yaml:1: " + problem);
    }

    @Test
    void eachFileThatDiffersFromTheFirstIsAProblem() throws IOException {
        file("a.yaml", "webhook: {port: 1}");
        file("b.yaml", "webhook: {port: 2}");
        file("c.yaml", "webhook: {port: 1}");
        file("d.yaml", "webhook: {port: 3}");

        assertThat(problems())
                .containsExactly(
                        "b.yaml:1: webhook.port is 2 here and 1 in a.yaml:1, keep one of the two",
                        "d.yaml:1: webhook.port is 3 here and 1 in a.yaml:1, keep one of the two");
    }

    /** Overlays that were written before components had files of their own repeat what a component sets. */
    @Test
    void equalValuesAreNoConflict() throws IOException {
        file("a.yaml", "tls: {mode: self-managed, clientCa: x, clientNames: [a, b]}\n");
        file("b.yaml", "tls:\n  mode: self-managed\n  clientNames:\n  - a\n  - b\n");

        assertThat(config().tls().clientNames()).containsExactlyInAnyOrder("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a comment\n", "policy:\n", "policy: {}\n", "policy:\n  # mode: availability\n"})
    void aFileOrSectionWithoutKeysChangesNothing(String text) throws IOException {
        file("a.yaml", text);
        file("b.yaml", "policy: {mode: availability}\n");
        file("c.yaml", text);

        assertThat(config().policy().base().mode()).isEqualTo(Policy.Mode.AVAILABILITY);
    }

    @Test
    void problemsOfAllFilesAreReportedTogetherEachAtItsLine() throws IOException {
        file("a.yaml", "webhook:\n  port: 0\n");
        file("b.yaml", "\n\nwebhook: {prot: 1}\nmanagement: {port: 8443, port: 1}\n");
        file("c.yaml", "[x]\n");
        file("d.yaml", "a: b: c\n");

        assertThat(problems())
                .containsExactly(
                        "b.yaml:4: management.port is written twice, first in line 4, keep one",
                        "c.yaml:1: the file is a list, expected a map of keys",
                        "d.yaml:1: the file is no YAML from column 5 on (mapping values are not allowed here), check"
                                + " indentation, quotes and brackets there and above");
    }

    @Test
    void aKeyOfAnyFileIsReportedAtItsOwnLine() throws IOException {
        file("a.yaml", "webhook:\n  port: 0\n");
        file("b.yaml", "\n\nwebhook: {prot: 1}\n");

        assertThat(problems())
                .containsExactly(
                        "a.yaml:2: webhook.port is 0, expected 1..65535",
                        "b.yaml:3: webhook.prot is not a known key, did you mean port?");
    }

    @Test
    void hiddenFilesAndDirectoriesAreNotRead() throws IOException {
        file("gateway.yaml", "webhook: {port: 1}\n");
        file(".gateway.yaml.swp.yaml", "webhook: {port: 2}\n");
        Files.createDirectory(directory.resolve("..data"));
        Files.createDirectory(directory.resolve("more"));
        Files.writeString(directory.resolve("more/gateway.yaml"), "webhook: {port: 3}\n");

        assertThat(config().webhook().port()).isEqualTo(1);
        assertThat(load().warnings()).isEmpty();
    }

    /** As kubelet mounts it: the files are links to those of the hidden directory to which {@code ..data} leads. */
    @Test
    void aMountedConfigMapIsRead() throws IOException {
        Path version = Files.createDirectory(directory.resolve("..2026_11_27"));
        Files.writeString(version.resolve("gateway.yaml"), "webhook: {port: 1}\n");
        Files.createSymbolicLink(directory.resolve("..data"), version.getFileName());
        Files.createSymbolicLink(directory.resolve("gateway.yaml"), Path.of("..data", "gateway.yaml"));

        assertThat(config().webhook().port()).isEqualTo(1);
        assertThat(ConfigLoader.files(directory)).containsExactly(directory.resolve("gateway.yaml"));
    }

    @Test
    void aFileOfAnotherNameIsWarnedOfUnlessItHasTheRulesOfInjection() throws IOException {
        file("gateway.yaml", "injection: {file: " + directory.resolve("rules.json") + "}\n");
        file("rules.json", "{}");
        file("gateway.yaml.bak", "policy: {mode: availability}\n");

        assertThat(written(load().warnings()))
                .containsExactly(
                        "gateway.yaml.bak: the file is not read, because its name does not end in .yaml or .yml,"
                                + " rename it, or move it away");
    }

    @Test
    void aDirectoryWithoutConfigurationIsAProblem() throws IOException {
        file("values.json", "{}");

        assertThat(problems())
                .containsExactly("DIR: the directory has no file whose name ends in .yaml, name the directory of"
                        + " gateway.yaml");
        assertThat(load().isRead("tls.mode")).isFalse();
    }

    @Test
    void aLinkToNowhereAndADirectoryAreProblems() throws IOException {
        file("gateway.yaml", "");
        Files.createSymbolicLink(directory.resolve("a.yaml"), Path.of("..data", "a.yaml"));
        Files.createDirectory(directory.resolve("b.yaml"));

        assertThat(problems())
                .containsExactly(
                        "a.yaml: the file does not exist, create it or name another",
                        "b.yaml: the file is not a regular file, move it away, or give it a name that does not end in"
                                + " .yaml or .yml");
    }

    @Test
    @Timeout(20)
    void aNamedPipeIsNotOpened() throws Exception {
        file("gateway.yaml", "");
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe.yaml").toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThat(problems()).singleElement().asString().startsWith("pipe.yaml: the file is not a regular file");
    }

    @Test
    void allFilesTogetherMayBeAsLargeAsAConfigMap() throws IOException {
        file("a.yaml", "#" + "x".repeat(600_000));
        file("b.yaml", "#" + "x".repeat(400_000));
        assertThat(config()).isEqualTo(GatewayConfig.DEFAULT);

        file("c.yaml", "#" + "x".repeat(400_000));
        assertThat(problems())
                .containsExactly("c.yaml: the file makes the directory larger than 1048576 bytes, the most a ConfigMap"
                        + " holds, write less: the limit is for all files of the directory together");
    }

    @Test
    void aDirectoryOfManyThingsIsRefused() throws IOException {
        for (int i = 0; i <= 1000; i++) {
            file("f" + i, "");
        }

        assertThat(problems())
                .containsExactly("DIR: the directory has more than 1000 entries, name a directory that holds only the"
                        + " configuration");
        assertThat(ConfigLoader.files(directory)).containsExactly(directory);
    }

    @Test
    void theNameOfAFileCannotImitateALine() throws IOException {
        file("a\nproblem  b\u001b[2J.yaml", "webhook: {port: 0}\n");

        assertThat(problems()).containsExactly("a problem  b\\u001b[2J.yaml:1: webhook.port is 0, expected 1..65535");
    }

    /** This runs in another process, which has given up the right of root to read everything. */
    @Test
    void aDirectoryThatMayNotBeReadIsAProblem() throws Exception {
        List<String> reading = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            reading.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
        }
        reading.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                Reader.class.getName(),
                directory.toString()));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("-wx------"));
        try {
            Process process =
                    new ProcessBuilder(reading).redirectErrorStream(true).start();
            String problems = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(problems.lines())
                    .singleElement()
                    .asString()
                    .contains(": the directory may not be read by this user");
            assertThat(process.waitFor()).isZero();
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static String classPath() {
        // A launcher of tests may load them itself, so that the class path of the process does not name them.
        return Thread.currentThread().getContextClassLoader() instanceof URLClassLoader tests
                ? Arrays.stream(tests.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** Prints the problems of a directory. */
    static final class Reader {

        private Reader() {}

        public static void main(String[] arguments) {
            ConfigLoader.load(Path.of(arguments[0]), Map.of()).problems().forEach(System.out::println);
        }
    }
}
