package dev.sluice.cli;

import static dev.sluice.cli.HostileText.HOSTILE;
import static dev.sluice.cli.HostileText.LEGAL;
import static dev.sluice.cli.HostileText.WORD;
import static dev.sluice.cli.HostileText.WORDS_OF_THE_API;
import static dev.sluice.cli.HostileText.appended;
import static dev.sluice.cli.HostileText.hostile;
import static dev.sluice.cli.HostileText.safe;
import static dev.sluice.cli.HostileText.yaml;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.demo.DemoCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Walks all commands: each is given what it reads of others, with hostile text in it, and hostile words. What a command
 * reads is shown again safely. {@link HostileTextTest} looks at each field of a cluster, CandidatesTest at the names
 * that complete a command line, and StatusCommandTest at each answer of an API server.
 */
@Timeout(120)
class HostileCommandsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CLUSTER = Path.of("src/test/resources/report/cluster.yaml");

    private static final Pattern WORDS_OF_AN_AUDIT_LOG = Pattern.compile(
            ".*/(apiVersion|kind|stage|verb|resource|level|phase|[a-zA-Z]*Timestamp|requests|limits)(/.*)?");

    /** The words that the answers of a gateway have in common with the program. */
    private static final Pattern WORDS_OF_THE_GATEWAY =
            Pattern.compile(".*/(time|since|verdict|also|code|decision|enforcement|text|id|status|type)");

    /** These read nothing of others. */
    private static final Set<String> NOTHING_TO_READ =
            Set.of("", "certs", "completion", "version", "doctor node", "demo", "certs make");

    /** This one leaves out what is not safe. */
    private static final Set<String> LEAVES_OUT = Set.of("__complete");

    private final Map<String, String> answers = new ConcurrentHashMap<>();

    @TempDir
    private Path directory;

    private HttpServer server;
    private String url = "";
    private Path kubeconfig = Path.of("");

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        url = "http://localhost:" + server.getAddress().getPort();
        kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: lab
                clusters: [{name: lab, cluster: {server: "%s"}}]
                users: [{name: me, user: {}}]
                contexts: [{name: lab, context: {cluster: lab, user: me}}, {name: %s, context: {cluster: lab, user: me}}]
                """.formatted(url, yaml("lab" + LEGAL)));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Answers as the test has it, and everything else as an API server refuses it. */
    private void answer(HttpExchange exchange) throws IOException {
        String text = answers.get(exchange.getRequestURI().getPath());
        byte[] body = (text == null
                        ? "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":403,\"message\":"
                                + JSON.writeValueAsString("no" + HOSTILE) + "}"
                        : text)
                .getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(text == null ? 403 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static CommandLine all() {
        return SluiceCommand.with(new DemoCommand(Map.of()), new ServeCommand());
    }

    /** The commands by their words, such as "certs show". */
    private static Map<String, CommandSpec> commands() {
        Map<String, CommandSpec> found = new LinkedHashMap<>();
        add("", all(), found);
        return found;
    }

    private static void add(String words, CommandLine command, Map<String, CommandSpec> found) {
        found.put(words, command.getCommandSpec());
        command.getSubcommands().forEach((name, sub) -> add((words + " " + name).strip(), sub, found));
    }

    @CanIgnoreReturnValue
    private static Cli run(String command, Object... more) {
        Stream<String> words = Stream.of(command.split(" ")).filter(word -> !word.isEmpty());
        return safe(Cli.run(all(), Stream.concat(words, Stream.of(more)).toArray()));
    }

    static Stream<String> names() {
        return commands().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatACommandReadsOfOthersIsSafe(String command) throws IOException {
        List<Cli> runs = runs(command);

        assertThat(runs.isEmpty())
                .as("a new command needs a hostile input here")
                .isEqualTo(readsNothing(command));
        if (!LEAVES_OUT.contains(command)) {
            assertThat(runs.stream().filter(HostileText::isShown))
                    .as("what is not shown at all is safe by chance")
                    .hasSizeGreaterThanOrEqualTo((runs.size() + 1) / 2);
        }
    }

    private static boolean readsNothing(String command) {
        return NOTHING_TO_READ.contains(command);
    }

    /** Runs the command with all that it reads. */
    private List<Cli> runs(String command) throws IOException {
        return switch (command) {
            case "doctor" -> doctor();
            case "capacity" ->
                List.of(
                        run(command, "--cluster-snapshot", cluster()),
                        run(command, "--cluster-snapshot", cluster(), "-o", "json"),
                        run(command, "--kubeconfig", kubeconfig));
            case "explain" -> explain();
            case "status" ->
                List.of(
                        run(command, "--kubeconfig", kubeconfig, "--url", url),
                        run(command, "--kubeconfig", kubeconfig, "--url", url, "-o", "json"));
            case "test" -> policyTest();
            case "replay" -> replay();
            case "decisions" -> decisions();
            case "console" ->
                List.of(
                        run(command, "--no-browser", "--kubeconfig", kubeconfig),
                        run(command, "--no-browser", "--url", "http://x" + WORD));
            case "metrics" -> metrics();
            case "check" -> List.of(run(command, "--config", configuration()), run(command, "--config", named()));
            case "serve" -> List.of(run(command, "--config", configuration()), run(command, "--config", named()));
            case "certs show" -> List.of(run(command, named()), run(command, "--secret", "--kubeconfig", kubeconfig));
            case "__complete" -> List.of(run(command, "--", "doctor", "--kubeconfig", kubeconfig, "--context", ""));
            default -> List.of();
        };
    }

    /** A file that does not exist. */
    private Path named() {
        return directory.resolve("x" + WORD);
    }

    private static JsonNode hostileCluster() throws IOException {
        return hostile(new YAMLMapper().readTree(CLUSTER.toFile()), "", WORDS_OF_THE_API);
    }

    private Path cluster() throws IOException {
        return Files.write(directory.resolve("cluster.json"), JSON.writeValueAsBytes(hostileCluster()));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String quoted(String text) throws IOException {
        return JSON.writeValueAsString(text);
    }

    private Path configuration() throws IOException {
        return file(
                "gateway.yaml", "%s: %s\npolicy: {mode: %s}\n".formatted(yaml("a" + LEGAL), yaml(LEGAL), yaml(LEGAL)));
    }

    /** Has the gateway answer as it does for an ordinary cluster, with the hostile text in each of its texts. */
    private void answerHostile(String path, Cli told) throws IOException {
        JsonNode answer = JSON.readTree(told.out());
        assertThat(answer.path("pods")).isNotEmpty();
        ObjectNode hostile = (ObjectNode) hostile(answer, "", WORDS_OF_THE_GATEWAY);
        hostile.put("text", "The text of a gateway has lines. " + HOSTILE.replace("\n", ""));
        answers.put(path, hostile.toString());
    }

    private List<Cli> doctor() throws IOException {
        answerHostile("/api/v1/diagnosis", Cli.run("doctor", "--cluster-snapshot", CLUSTER, "-o", "json"));
        return List.of(
                run("doctor", "--cluster-snapshot", cluster()),
                run("doctor", "--cluster-snapshot", cluster(), "-o", "json"),
                run("doctor", "--kubeconfig", kubeconfig),
                run("doctor", "--kubeconfig", kubeconfig, "-o", "json"),
                run("doctor", "--url", url),
                run("doctor", "--url", url, "-o", "json"));
    }

    private List<Cli> explain() throws IOException {
        answerHostile(
                "/api/v1/explain", Cli.run("explain", "-f", CLUSTER, "--cluster-snapshot", CLUSTER, "-o", "json"));
        List<Cli> runs = new ArrayList<>();
        for (String format : List.of("text", "json", "patch")) {
            runs.add(run("explain", "-f", cluster(), "--cluster-snapshot", cluster(), "-o", format));
            runs.add(run("explain", "-f", CLUSTER, "--url", url, "-o", format));
        }
        return runs;
    }

    private List<Cli> policyTest() throws IOException {
        Path cases = file("cases.test.yaml", """
                cluster: %s
                cases:
                - name: %2$s
                  pod:
                    metadata: {name: %2$s, namespace: %2$s}
                    spec: {containers: [{name: %2$s, resources: {limits: {nvidia.com/mig-3g.40gb: 1}}}]}
                  expect: {decision: changed, resources: {%2$s: {%2$s: 1}}, warnings: [%2$s]}
                """.formatted(cluster(), yaml("x" + LEGAL)));
        Path broken = file("broken.test.yaml", "cases:\n- {name: %1$s, %1$s: %1$s}\n".formatted(yaml(LEGAL)));
        Path report = directory.resolve("report.xml");
        List<Cli> runs = new ArrayList<>();
        for (String format : List.of("text", "json", "junit")) {
            runs.add(run("test", cases, "-o", format, "--junit", report));
            safe(Files.readString(report));
        }
        assertThat(runs)
                .as(runs.toString())
                .allSatisfy(run -> assertThat(run.code()).isEqualTo(1));
        return Stream.concat(runs.stream(), Stream.of(broken, named()).map(each -> run("test", each)))
                .toList();
    }

    private List<Cli> replay() throws IOException {
        Path log = Path.of("src/test/resources/replay/audit.log");
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            lines.add(appended(JSON.readTree(line), "", WORDS_OF_AN_AUDIT_LOG, LEGAL)
                    .toString());
        }
        Path audit = Files.write(directory.resolve("audit.log"), lines);
        Path policy = file("policy.yaml", "policy: {chains: {nvidia.com/mig-3g.40gb: [nvidia.com/mig-1g.10gb]}}\n");
        Path recorded = file("decisions.json", """
                {"id":"p-1","time":"2026-11-20T08:00:00Z","namespace":%1$s,"name":%1$s,"dryRun":false,"decision":"changed",\
                "owner":{"kind":%1$s,"name":%1$s},"reason":%1$s,"containers":[{"name":%1$s,"kind":"main",\
                "asked":{"nvidia.com/mig-3g.40gb":"1"},"given":{"nvidia.com/mig-2g.20gb":"1"}}],"moreContainers":0}
                """.formatted(quoted("x" + LEGAL)));
        List<Cli> runs = new ArrayList<>();
        for (Path input : List.of(audit, cluster(), recorded)) {
            for (List<String> more : List.of(
                    List.<String>of(), List.of("--pods"), List.of("-o", "json"), List.of("--pods", "-o", "json"))) {
                List<Object> words =
                        new ArrayList<>(List.of(input, "--cluster-snapshot", cluster(), "--config", policy));
                words.addAll(more);
                runs.add(run("replay", words.toArray()));
            }
        }
        runs.add(run("replay", named(), "--cluster-snapshot", CLUSTER));
        return runs;
    }

    private List<Cli> decisions() throws IOException {
        String text = quoted("x" + HOSTILE);
        answers.put(
                "/api/v1/decisions",
                ("{\"missing\":[%1$s],\"decisions\":[{\"id\":\"p-1\",\"time\":\"2026-11-23T12:00:00Z\",\"decision\":%1$s,"
                                + "\"reason\":%1$s,\"namespace\":%1$s,\"name\":%1$s,\"message\":%1$s,\"warnings\":[%1$s],"
                                + "\"changes\":[{\"from\":%1$s,\"to\":%1$s}],%1$s:%1$s}]}")
                        .formatted(text));
        String counts = "\"namespace\":%1$s,\"chain\":%1$s,\"decisions\":1,\"enforcement\":".formatted(text);
        answers.put(
                "/api/v1/decisions/summary",
                ("{\"since\":\"2026-11-23T12:00:00Z\",\"onlyThisReplica\":%1$s,\"chains\":[{%2$s\"enforce\"},{%2$s"
                                + "\"observe\"}],\"totals\":[{%2$s\"enforce\"}],%1$s:%1$s}")
                        .formatted(text, counts));
        return List.of(
                run("decisions", "--url", url),
                run("decisions", "--url", url, "-o", "json"),
                run("decisions", "--url", url, "--summary"),
                run("decisions", "--url", url, "--summary", "-o", "json"),
                run("decisions", "--url", url + "/" + WORD));
    }

    private List<Cli> metrics() {
        Cli refused = run("metrics", "--url", "http://x" + WORD);
        String help = HOSTILE.replace("\n", "").replace("\r", "");
        answers.put(
                "/metrics",
                "# HELP a %1$s\n# TYPE a gauge\na{x=\"%1$s\",%1$s=\"y\"} 1\n# HELP %1$s %1$s\n%1$s 2\n"
                        .formatted(help));
        return List.of(refused, run("metrics", "--url", url), run("metrics", "nothing" + WORD, "--url", url));
    }

    /** A word of a script may come from others, too, such as the name of a file or of an object. */
    @ParameterizedTest
    @MethodSource("names")
    void aHostileWordOfTheCommandLineIsShownSafely(String command) {
        CommandSpec spec = Objects.requireNonNull(commands().get(command));
        run(command, "--" + WORD);
        run(command, "x" + WORD);
        for (ArgSpec argument : spec.args()) {
            if (argument.arity().max() == 0) {
                continue;
            }
            List<Object> words = new ArrayList<>();
            String value = isPath(argument) ? named().toString() : "x" + WORD;
            if (argument.isOption()) {
                String name = ((CommandLine.Model.OptionSpec) argument).longestName();
                words.add(name + "=" + value);
            } else {
                words.add(value);
            }
            surroundings(spec, argument, words);
            run(command, words.toArray());
        }
    }

    private static boolean isPath(ArgSpec argument) {
        return argument.typeInfo().getType().equals(Path.class)
                || argument.auxiliaryTypes()[0].equals(Path.class)
                || argument.paramLabel().equals("FILE");
    }

    /** Keeps the command from other files, other clusters and a browser. */
    private void surroundings(CommandSpec spec, ArgSpec argument, List<Object> words) {
        Map<String, Object> others = new LinkedHashMap<>();
        others.put("--cluster-snapshot", CLUSTER);
        others.put("--dir", directory.resolve("certs"));
        others.put("-f", CLUSTER);
        others.put("--kubeconfig", kubeconfig);
        for (Map.Entry<String, Object> other : others.entrySet()) {
            CommandLine.Model.OptionSpec option = spec.findOption(other.getKey());
            boolean excluded = other.getKey().equals("--kubeconfig") && words.contains("--cluster-snapshot");
            if (option != null && !option.equals(argument) && !excluded) {
                words.add(other.getKey());
                words.add(other.getValue());
            }
        }
        if (spec.findOption("--no-browser") != null) {
            words.add("--no-browser");
        }
    }

    @Test
    void theWalkSeesAllCommands() {
        assertThat(commands()).containsKeys("doctor node", "certs make", "certs show", "serve", "demo", "__complete");
        assertThat(NOTHING_TO_READ).allMatch(commands()::containsKey);
    }
}
