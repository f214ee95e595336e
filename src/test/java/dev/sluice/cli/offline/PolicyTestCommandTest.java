package dev.sluice.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.cli.Cli;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.golden.GoldenCase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

class PolicyTestCommandTest {

    private static final Path EXAMPLES = Path.of("conf/policy-tests");
    private static final Path CLUSTER = EXAMPLES.resolve("cluster.yaml");

    @TempDir
    private Path directory;

    @BeforeEach
    void copyTheCluster() throws IOException {
        Files.copy(CLUSTER, directory.resolve("cluster.yaml"));
    }

    @CanIgnoreReturnValue
    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** A file with one case: a pod that asks for what no node offers. */
    @CanIgnoreReturnValue
    private Path oneCase(String expect) throws IOException {
        return file("one.test.yaml", """
                cluster: cluster.yaml
                cases:
                - name: falls back
                  why: The large slices
                    are gone.
                  pod:
                    spec: { containers: [ { name: train, resources: { limits: { nvidia.com/mig-2g.20gb: 1 } } } ] }
                  expect: %s
                """.formatted(expect));
    }

    @Test
    void theExampleSuitePasses() {
        Cli run = Cli.run("test", EXAMPLES);

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("ok    a trainer gets the next smaller slice\n")
                .endsWith("\n6 cases passed.\n");
    }

    /** The project's own cases are read by the same reader, and decided as the gateway decides them. */
    @Test
    void theGoldenCasesPass() throws Exception {
        CaseProblems problems = new CaseProblems();
        List<PolicyCase> cases = new ArrayList<>();
        for (GoldenCase golden : GoldenCase.all()) {
            cases.add(new CaseDirectory(golden.directory(), GoldenCase.ALL, "team-a").read(problems));
        }
        problems.throwIfAny();

        List<CaseResult> results = new CaseRunner(
                        new ConfigOption(),
                        Optional.empty(),
                        new PrintWriter(System.err, /* autoFlush= */ true, StandardCharsets.UTF_8))
                .run(cases);

        assertThat(results).hasSizeGreaterThan(200);
        assertThat(results.stream().filter(result -> !result.hasPassed())).isEmpty();
    }

    @Test
    void aFailedCaseShowsEachFieldAndWhatTheUserReads() throws IOException {
        Path file = oneCase(
                "{ decision: unchanged, reason: Offered, resources: { train: { nvidia.com/mig-2g.20gb: 2 } } }");
        Files.writeString(
                directory.resolve("gateway.yaml"), "policy: { chains: { nvidia.com/mig-2g.20gb: [nvidia.com/gpu] } }");

        Cli run = Cli.run("test", file, "--config", directory.resolve("gateway.yaml"));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out().replace(directory.toString(), "DIR")).isEqualTo("""
                FAIL  falls back
                        case    DIR/one.test.yaml:3
                        policy  DIR/gateway.yaml
                        train nvidia.com/mig-2g.20gb: 2 is expected, but it is 1
                        The user would read nothing.
                        Why the case exists: The large slices are gone.

                1 case failed, 0 passed.
                """);
    }

    @Test
    void aGpuThatIsNotExpectedFails() throws IOException {
        Path file = oneCase("{ decision: unchanged, resources: { train: { nvidia.com/gpu: 0 } } }");

        assertThat(Cli.run("test", file).out()).contains("        train nvidia.com/mig-2g.20gb: 1 is not expected\n");
    }

    /** So that a suite stays as it is when a policy goes from observing to enforcing. */
    @Test
    void aPolicyThatOnlyObservesIsTestedAsIfItWereEnforced() throws IOException {
        Path file =
                oneCase("{ decision: changed, fallback: 2g.20gb->gpu, resources: { train: { nvidia.com/gpu: 1 } } }");
        Path config = file("gateway.yaml", "policy: { enforcement: observe }");
        file(
                "cluster.yaml",
                Files.readString(CLUSTER)
                        .replace("nvidia.com/mig-2g.20gb", "nvidia.com/gpu")
                        .replace("nvidia.com/mig-1g.10gb", "nvidia.com/mig-7g.80gb"));

        assertThat(Cli.run("test", file, "--config", config).out()).contains("1 case passed.");
    }

    /** In a directory of files, too, as a ConfigMap has it. */
    @ParameterizedTest
    @ValueSource(strings = {"copy/gateway.yaml", "copy"})
    void theInjectionFileOfAPodIsReadBesideTheConfiguration(String config) throws IOException {
        Path file = file("one.test.yaml", """
                cluster: cluster.yaml
                config: %s
                cases:
                - name: is injected
                  pod:
                    metadata: { annotations: { task.bkbcs.tencent.com/gpu-type: A100 } }
                    spec: { containers: [ { name: train, resources: { limits: { nvidia.com/mig-1g.10gb: 1 } } } ] }
                  expect: { decision: unchanged, resources: { train: { nvidia.com/mig-1g.10gb: 1, cpu: 3 } } }
                """.formatted(config));
        file("copy/gateway.yaml", "injection: { file: /etc/no-such-directory/gpu-injection.json }");

        assertThat(Cli.run("test", file).err())
                .contains("injection.file is /etc/no-such-directory/gpu-injection.json", "does not exist");
        file("copy/gpu-injection.json", """
                {"resourceMap": {"A100": {"nvidia.com/mig-1g.10gb": {"resourceList": [{"name": "cpu", "coefficient": 3}]}}}}
                """);
        assertThat(Cli.run("test", file).out()).contains("1 case passed.");
    }

    @Test
    void aDirectoryIsSearchedAndACaseMayBeADirectory() throws IOException {
        file(
                "deep/below/fits/pod.yaml",
                "spec: { containers: [ { name: c, resources: { limits: { nvidia.com/mig-1g.10gb: 1 } } } ] }");
        file("deep/below/fits/expected.yaml", "decision: unchanged");
        oneCase("{ decision: unchanged }");

        Cli run = Cli.run("test", directory);

        assertThat(run.out()).isEqualTo("ok    deep/below/fits\nok    falls back\n\n2 cases passed.\n");
    }

    /** A ConfigMap is mounted as links to a hidden directory, and a suite is often linked into another one. */
    @Test
    void linksAreFollowedAndHiddenFilesAreIgnored() throws IOException {
        Path mounted = directory.resolve("mounted");
        Path hidden = Files.createDirectories(mounted.resolve("..2026_11_27"));
        Files.copy(CLUSTER, hidden.resolve("cluster.yaml"));
        Files.move(oneCase("{ decision: changed }"), hidden.resolve("one.test.yaml"));
        for (String file : List.of("cluster.yaml", "one.test.yaml")) {
            Files.createSymbolicLink(mounted.resolve(file), Path.of("..2026_11_27", file));
        }
        Path linked = Files.createDirectory(directory.resolve("linked"));
        Files.createSymbolicLink(linked.resolve("suite"), Path.of("../mounted"));
        Files.createSymbolicLink(linked.resolve("again"), Path.of("../linked"));

        assertThat(Cli.run("test", mounted).out()).endsWith("\n1 case failed, 0 passed.\n");
        assertThat(Cli.run("test", linked.resolve("suite")).out()).endsWith("\n1 case failed, 0 passed.\n");
        assertThat(Cli.run("test", linked).out()).endsWith("\n1 case failed, 0 passed.\n");
    }

    @Test
    void aFileThatIsNamedTwiceIsReadOnce() {
        Cli run = Cli.run("test", EXAMPLES, EXAMPLES.resolve("fallbacks.test.yaml"), EXAMPLES);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).endsWith("\n6 cases passed.\n");
    }

    @Test
    void thePodOfADirectoryMayBeAnObjectThatCreatesPods() throws IOException {
        file("web/pod.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: { name: web, namespace: team-a }
                spec:
                  template:
                    spec: { containers: [ { name: c, resources: { limits: { nvidia.com/mig-1g.10gb: 1 } } } ] }
                """);
        file("web/expected.yaml", "decision: unchanged");

        assertThat(Cli.run("test", directory).out()).isEqualTo("ok    web\n\n1 case passed.\n");

        file("web/pod.yaml", "apiVersion: v1\nkind: Service\nmetadata: { name: web }\n");
        assertThat(Cli.run("test", directory).err())
                .endsWith("web/pod.yaml is Service web, expected one pod, or one object that creates pods\n");
    }

    @Test
    void theFileOfAPodMayHaveItsRuntimeClass() throws IOException {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: { name: train }
                spec:
                  runtimeClassName: kata
                  containers: [ { name: c, resources: { limits: { nvidia.com/mig-1g.10gb: 1 } } } ]
                """;
        file("train.yaml", pod);
        file("kata.yaml", pod + """
                ---
                apiVersion: node.k8s.io/v1
                kind: RuntimeClass
                metadata: { name: kata }
                scheduling: { nodeSelector: { runtime: kata } }
                """);
        Path cases = file("kata.test.yaml", """
                cluster: cluster.yaml
                cases:
                - { name: without, pod: train.yaml, expect: { decision: unchanged } }
                - { name: with, pod: kata.yaml, expect: { decision: kept } }
                """);

        assertThat(Cli.run("test", cases).out()).endsWith("\n2 cases passed.\n");
    }

    @Test
    void theFileOfAPodMayHaveObjectsThatCreateNone() throws IOException {
        file("web.yaml", """
                apiVersion: v1
                kind: Service
                metadata: { name: web }
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: { name: web }
                spec:
                  template:
                    spec: { containers: [ { name: c, resources: { limits: { nvidia.com/mig-1g.10gb: 1 } } } ] }
                """);
        Path cases = file("web.test.yaml", """
                cluster: cluster.yaml
                cases: [ { name: web, pod: web.yaml, expect: { decision: unchanged } } ]
                """);

        assertThat(Cli.run("test", cases).out()).endsWith("\n1 case passed.\n");

        file(
                "web.yaml",
                Files.readString(directory.resolve("web.yaml")).repeat(2).replace("}\napi", "}\n---\napi"));
        assertThat(Cli.run("test", cases).err())
                .endsWith("cases[0].pod is 4 objects, of which 2 create pods, expected one pod, or one object that"
                        + " creates pods\n");
    }

    /** All file names of a suite are relative to the file that has them. */
    @Test
    void aRelativeInjectionFileIsReadBesideTheConfiguration() throws IOException {
        file("injected/pod.yaml", """
                metadata: { annotations: { task.bkbcs.tencent.com/gpu-type: A100 } }
                spec: { containers: [ { name: train, resources: { limits: { nvidia.com/mig-1g.10gb: 1 } } } ] }
                """);
        file(
                "injected/expected.yaml",
                "{ decision: unchanged, resources: { train: { nvidia.com/mig-1g.10gb: 1, cpu: 3 } } }");
        file("injected/gateway.yaml", "injection: { file: injection.json }");
        file("injected/injection.json", """
                {"resourceMap": {"A100": {"nvidia.com/mig-1g.10gb": {"resourceList": [{"name": "cpu", "coefficient": 3}]}}}}
                """);

        assertThat(Cli.run("test", directory).out()).endsWith("\n1 case passed.\n");
    }

    @Test
    void theConfigurationOfACaseMayBeADirectory() throws IOException {
        file("config/chains.yaml", "policy: { chains: {} }");
        Path cases = oneCase("{ decision: unchanged }");
        Files.writeString(
                cases,
                Files.readString(cases).replace("cluster: cluster.yaml", "cluster: cluster.yaml\nconfig: config"));

        Cli run = Cli.run("test", cases, "-o", "json");

        assertThat(new ObjectMapper()
                        .readTree(run.out())
                        .path("cases")
                        .path(0)
                        .path("policy")
                        .asText())
                .isEqualTo(directory.resolve("config").toString());
        assertThat(run.code()).isZero();
    }

    @Test
    void theOptionsCountAlsoForCasesThatNameFilesOfTheirOwn() throws IOException {
        Path denies = file("denies.yaml", "policy: { whenNotOffered: deny, chains: {} }");
        Path empty = file("empty.yaml", "apiVersion: v1\nkind: List\nitems: []\n");

        Cli otherPolicy = Cli.run("test", EXAMPLES, "--config", denies, "--name", "a trainer gets*");
        Cli otherCluster = Cli.run("test", EXAMPLES, "--cluster-snapshot", empty, "--name", "a pod keeps*");

        assertThat(otherPolicy.code()).isEqualTo(1);
        assertThat(otherPolicy.out()).contains("policy  " + denies).contains(" is expected, but it is denied");
        assertThat(otherCluster.code()).isEqualTo(1);
        assertThat(otherCluster.out()).contains("NoGpuInCluster");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--config", "--cluster-snapshot"})
    void aFileOfAnOptionThatIsMissingIsAnError(String option) {
        Cli run = Cli.run("test", EXAMPLES, option, directory.resolve("gone.yaml"));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("gone.yaml");
    }

    @Test
    void aPatternChoosesCases() {
        assertThat(Cli.run("test", EXAMPLES, "--name", "*zone*").out())
                .isEqualTo("ok    a pod is only given what its zone has\n\n1 case passed.\n");
        Cli none = Cli.run("test", EXAMPLES, "--name", "zone");

        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("no case has a name that matches zone; there are: a-full-cluster");
    }

    @Test
    void printsJson() throws IOException {
        Path file = oneCase("{ decision: denied, message: \"no 2g\" }");

        Cli run = Cli.run("test", file, "-o", "json");

        assertThat(run.code()).isEqualTo(1);
        JsonNode document = new ObjectMapper().readTree(run.out());
        assertThat(document.path("failed").asInt()).isEqualTo(1);
        JsonNode failed = document.path("cases").path(0);
        assertThat(failed.path("line").asInt()).isEqualTo(3);
        assertThat(failed.path("decision").asText()).isEqualTo("unchanged");
        assertThat(failed.path("differences").path(0).toString())
                .isEqualTo("{\"field\":\"decision\",\"expected\":[\"denied\"],\"actual\":[\"unchanged\"]}");
    }

    @Test
    void writesJunitXml() throws Exception {
        Path file = oneCase("{ decision: denied }");
        Path report = directory.resolve("report.xml");

        Cli run = Cli.run("test", file, EXAMPLES, "--junit", report);

        assertThat(run.out()).contains("1 case failed, 6 passed.");
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getDocumentElement();
        assertThat(root.getAttribute("tests")).isEqualTo("7");
        assertThat(root.getAttribute("failures")).isEqualTo("1");
        Element failure = (Element) root.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("decision: denied is expected, but it is unchanged");
        assertThat(((Element) failure.getParentNode()).getAttribute("name")).isEqualTo("falls back");
    }

    @Test
    void theReportOfAnEarlierRunDoesNotSurvive() throws IOException {
        Path report = file("report.xml", "of an earlier run");

        Cli run = Cli.run("test", oneCase("{ decision: chnaged }"), "--junit", report);

        assertThat(run.code()).isEqualTo(2);
        assertThat(report).doesNotExist();
    }

    @Test
    void aReportThatCannotBeWrittenIsToldWithItsReason() {
        Path missing = directory.resolve("gone/report.xml");

        Cli inMissing = Cli.run("test", EXAMPLES, "--junit", missing);
        Cli isDirectory = Cli.run("test", EXAMPLES, "--junit", directory);

        assertThat(inMissing.code()).isEqualTo(2);
        assertThat(inMissing.err()).isEqualTo(missing + " cannot be written: its directory does not exist\n");
        assertThat(isDirectory.err()).isEqualTo(directory + " cannot be written: Is a directory\n");
    }

    @Test
    void textOfOthersIsLegalInXml() throws Exception {
        Path file = file("bell.test.yaml", """
                cluster: cluster.yaml
                cases:
                - name: "rings \\a <&\\e[31m"
                  pod: { spec: { containers: [ { name: c } ] } }
                  expect: { decision: denied }
                """);

        Cli run = Cli.run("test", file, "-o", "junit");

        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(run.out().getBytes(StandardCharsets.UTF_8)))
                        .getElementsByTagName("testcase")
                        .getLength())
                .isEqualTo(1);
        assertThat(Cli.run("test", file).out()).doesNotContain("\u0007").doesNotContain("\u001b[31m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                   | cases[0].expect has no decision, expected one of unchanged, changed, kept, untouched, denied, passed
            { decision: chnaged }                                | cases[0].expect.decision is "chnaged", did you mean changed?
            { decision: noGpu }                                  | cases[0].expect.decision is "noGpu", did you mean passed?
            { decision: changed, resaon: Offered }               | cases[0].expect.resaon is not a known key, did you mean reason?
            { decision: unchanged, fallback: "2g.20gb->gpu" }    | cases[0].expect.fallback is set, but nothing is exchanged in a pod that is unchanged, expected changed
            { decision: unchanged, reason: NotOffered }          | cases[0].expect.reason is NotOffered, which no pod with the decision unchanged has, expected one of Offered, Exhausted, Injected
            { decision: changed, message: text }                 | cases[0].expect.message is set, but only a denied pod has a message, use warnings
            { decision: denied, resources: { train: { cpu: 1 } } } | cases[0].expect.resources is set, but a denied pod gets nothing, leave it out
            { decision: changed, resources: { trian: { cpu: 1 } } } | cases[0].expect.resources.trian is no container of the pod, did you mean train?
            { decision: changed, resources: { train: { cpu: many } } } | cases[0].expect.resources.train.cpu is no quantity, expected a number such as 1, or 16Gi
            { decision: changed, resources: { train: { nvidia.com/gpu: -1 } } } | cases[0].expect.resources.train.nvidia.com/gpu is no quantity, expected a number such as 1, or 16Gi
            { decision: kept, resources: { train: { nvidia.com/gpu: 1 } } } | cases[0].expect.resources.train.nvidia.com/gpu is 1, but the container does not ask for it, and a pod that is kept gets no other GPU, expected changed
            { decision: passed, resources: { train: { nvidia.com/gpu: 1 } } } | cases[0].expect.resources.train.nvidia.com/gpu is 1, but the container does not ask for it, and a pod that is passed gets no other GPU, expected changed
            { decision: changed, fallback: "2g.20gb => gpu" }    | cases[0].expect.fallback is "2g.20gb => gpu", which is no list of replacements, expected text such as 3g.40gb->2g.20gb, with commas between several
            { decision: changed, fallback: "nvidia.com/mig-2g.20gb->nvidia.com/gpu" } | cases[0].expect.fallback is "nvidia.com/mig-2g.20gb->nvidia.com/gpu", which is no list of replacements, did you mean 2g.20gb->gpu?
            { decision: denied, message: "" }                    | cases[0].expect.message is empty, which is a part of any message, leave it out
            { decision: denied, warnings: [ "" ] }               | cases[0].expect.warnings has an item that is empty or no text, expected a list of texts, or [] for none
            { decision: untouched, patch: [ { op: add } ] }      | cases[0].expect.patch is set, but a pod that is untouched is not patched, leave it out
            { decision: changed, patch: [] }                     | cases[0].expect.patch is empty, but a changed pod is patched, leave it out
            { decision: unchanged, patch: [ { op: add } ] }      | the case expects the decision unchanged and a patch, but its policy injects nothing and reserves nothing, so it patches no unchanged pod, change what it expects, or its policy
            """)
    void aCaseThatContradictsItselfIsRefusedWithItsPlace(String expect, String problem) throws IOException {
        Path file = oneCase(expect);

        Cli run = Cli.run("test", file);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).matches("(?s)\\Q" + file + "\\E:\\d+: \\Q" + problem + "\\E\n");
    }

    @Test
    void allProblemsOfAllCasesAreToldAtOnce() throws IOException {
        Path file = file("several.test.json", """
                {
                  "cluster": "clutser.yaml",
                  "cases": [
                    { "name": "a", "pod": "pods/none.yaml", "expect": { "decision": "kept" } },
                    { "nmae": "a", "pod": {"spec": {"containers": [{"name": "c"}]}}, "expect": { "decision": "kept" } },
                    { "name": "a", "pod": {"spec": {"containers": [{"name": "c"}]}} }
                  ]
                }
                """);

        assertThat(Cli.run("test", file).err().replace(directory.toString(), "DIR"))
                .isEqualTo("""
                DIR/several.test.json:2: cluster is DIR/clutser.yaml, which is no file, name a file
                DIR/several.test.json:4: cases[0].pod is DIR/pods/none.yaml, which is no file, name a file
                DIR/several.test.json:5: cases[1] has no name, expected a text that says what the case is about
                DIR/several.test.json:5: cases[1].nmae is not a known key, did you mean name?
                DIR/several.test.json:6: cases[2] has no expect, expected a map with the expected decision
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name: falls back       | name: ""                               | cases[0].name is empty, expected a text that says what the case is about
            name: falls back       | name: "  "                             | cases[0].name is empty, expected a text that says what the case is about
            why: The large slices  | namespace: Prod_a                      | cases[0].namespace is "Prod_a", which no namespace is called, expected lower-case letters, digits and dashes
            """)
    void noCaseIsLeftOutInSilence(String right, String wrong, String problem) throws IOException {
        Path file = oneCase("{ decision: changed }");
        Files.writeString(
                file, Files.readString(file).replace("    are gone.\n", "").replace(right, wrong));

        Cli run = Cli.run("test", file, EXAMPLES);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).matches("(?s)\\Q" + file + "\\E:\\d+: \\Q" + problem + "\\E\n");
    }

    @Test
    void aNameBelongsToOneCase() throws IOException {
        oneCase("{ decision: changed }");
        Files.copy(directory.resolve("one.test.yaml"), directory.resolve("two.test.yaml"));

        assertThat(Cli.run("test", directory).err().replace(directory.toString(), "DIR"))
                .isEqualTo(
                        "DIR/two.test.yaml:3: the case has the name \"falls back\", as the case at DIR/one.test.yaml:3,"
                                + " give each case a name of its own\n");
    }

    @Test
    void aDirectoryThatIsNoCompleteCaseIsAProblem() throws IOException {
        file("half/pods.yaml", "{}");
        file("half/expected.yaml", "decision: kept");
        file("both/pod.yaml", "spec: { containers: [ { name: c } ] }");
        file("both/expected.yaml", "decision: kept");
        file("both/response.json", "{\"allowed\": true, \"auditAnnotations\": {\"decision\": \"denied\"}}");
        file("none/pod.yaml", "spec: { containers: [ { name: c } ] }");
        file("other/pod.yml", "spec: { containers: [ { name: c } ] }");
        file("other/expected.yml", "decision: kept");

        assertThat(Cli.run("test", directory).err().replace(directory.toString(), "DIR"))
                .isEqualTo("""
                DIR/both: the case has response.json and expected.yaml, keep one
                DIR/both/response.json:1: allowed is true, but the expected decision is denied, change one of the two
                DIR/half: the case has no pod.yaml, add the pod of the case
                DIR/half: the case has pods.yaml, did you mean pod.yaml?
                DIR/none: the case has neither response.json nor expected.yaml, add one
                DIR/other: the case has neither response.json nor expected.yaml, add one
                DIR/other: the case has no pod.yaml, add the pod of the case
                DIR/other: the case has expected.yml, did you mean expected.yaml?
                DIR/other: the case has pod.yml, did you mean pod.yaml?
                """);
    }

    @Test
    void noCaseIsAnError() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));

        Cli none = Cli.run("test", empty);
        Cli missing = Cli.run("test", directory.resolve("gone"));

        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).startsWith("there is no case in " + empty);
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err())
                .isEqualTo(directory.resolve("gone") + " does not exist; name a file or a directory with cases\n");
    }

    @Test
    void brokenFilesAreToldWithTheirLine() throws IOException {
        Path yaml = file("broken.test.yaml", "cases:\n- name: [\n");
        Path cluster = file("c.yaml", "kind: List\n");
        oneCase("{ decision: changed }");

        assertThat(Cli.run("test", yaml).err()).contains("broken.test.yaml, line 3");
        Path noCluster = file("no.test.yaml", """
                cases:
                - { name: a, pod: { spec: { containers: [ { name: c } ] } }, expect: { decision: kept } }
                """);
        assertThat(Cli.run("test", noCluster).err())
                .isEqualTo(noCluster
                        + ":2: the case \"a\" has no cluster; name a file in it, or give --cluster-snapshot FILE\n");
        assertThat(Cli.run("test", noCluster, "--cluster-snapshot", cluster).code())
                .isEqualTo(2);
    }
}
