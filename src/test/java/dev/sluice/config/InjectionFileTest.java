package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.admission.injection.InjectionResourceRule.Unit;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.InjectionRules.GpuTypes;
import dev.sluice.admission.injection.Injector;
import dev.sluice.cluster.quantity.ResourceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InjectionFileTest {

    /** The example of gpuinjector's own manual, and its white list. */
    private static final String PREDECESSOR = """
            {
              "resourceMap": {
                "V100": {
                  "nvidia.com/gpu": {
                    "resourceList": [
                      {"name": "cpu", "coefficient": 4000, "unit": "m"},
                      {"name": "memory", "coefficient": 8, "unit": "Gi"},
                      {"name": "nvidia.com/shm", "coefficient": 1.5e0, "unit": "Gi", "value": ""}
                    ],
                    "annotations": {"tke.cloud.tencent.com/networks": "tke-route-eni"}
                  }
                },
                "QGPU": {
                  "tke.cloud.tencent.com/qgpu-memory": {
                    "resourceList": [{"name": "tke.cloud.tencent.com/qgpu-core", "coefficient": 2.36, "unit": ""}]
                  }
                }
              },
              "namespaceResourceMap": {"gpu-training": {"V100": {"nvidia.com/gpu": {"resourceList": []}}}},
              "namespaceWhiteList": ["kube-system"]
            }
            """;

    private static final String RULE = "{\"resourceMap\": {\"T\": {\"nvidia.com/gpu\": %s}}}";

    @TempDir
    private Path directory;

    private ConfigLoader.Loading load(String json) throws IOException {
        Path file = Files.writeString(directory.resolve("rules.json"), json);
        return Loads.text("injection: { file: " + file + " }");
    }

    private List<String> problems(String json) throws IOException {
        return shown(((ConfigLoader.Loading.NotLoaded) load(json)).problems());
    }

    private List<String> shown(List<ConfigProblem> problems) {
        return problems.stream()
                .map(problem -> problem.toString().replace(directory + "/", ""))
                .toList();
    }

    private static InjectionResourceRule resource(String name, String coefficient, String unit) {
        return new InjectionResourceRule(
                new ResourceName(name),
                InjectionCoefficient.parse(coefficient).orElseThrow(),
                Unit.of(unit).orElseThrow());
    }

    @Test
    void thePredecessorsFileLoadsUnchanged() throws IOException {
        ConfigLoader.Loading.Loaded loaded = Loads.loaded(load(PREDECESSOR));

        assertThat(loaded.warnings()).hasSize(0);
        assertThat(loaded.injector().userValues()).isEqualTo(Injector.UserValues.OVERWRITTEN);
        ResourceName gpu = ResourceName.NVIDIA_GPU;
        InjectionRule v100 = new InjectionRule(
                List.of(
                        resource("cpu", "4000", "m"),
                        resource("memory", "8", "Gi"),
                        resource("nvidia.com/shm", "1.5", "Gi")),
                Map.of("tke.cloud.tencent.com/networks", "tke-route-eni"));
        InjectionRule qgpu =
                new InjectionRule(List.of(resource("tke.cloud.tencent.com/qgpu-core", "2.36", "")), Map.of());
        assertThat(loaded.injector().rules())
                .isEqualTo(new InjectionRules(
                        new GpuTypes(Map.of(
                                "V100",
                                Map.of(gpu, v100),
                                "QGPU",
                                Map.of(new ResourceName("tke.cloud.tencent.com/qgpu-memory"), qgpu))),
                        Map.of(
                                "gpu-training",
                                new GpuTypes(Map.of("V100", Map.of(gpu, new InjectionRule(List.of(), Map.of()))))),
                        Set.of("kube-system")));
    }

    @Test
    void keepsUserValuesWhereTheGatewaysFileSaysSo() {
        assertThat(Loads.loaded(Loads.text("injection: { keepUserValues: true }"))
                        .injector()
                        .userValues())
                .isEqualTo(Injector.UserValues.KEPT);
    }

    static Stream<Arguments> everyMistake() throws IOException {
        return Mistakes.of("injection-mistakes.txt");
    }

    @ParameterizedTest
    @MethodSource("everyMistake")
    void namesFilePathAndValue(String json, String problem) throws IOException {
        assertThat(problems(json)).containsExactly(problem);
    }

    @Test
    void anEmptyFileIsAProblem() throws IOException {
        assertThat(problems(""))
                .containsExactly("rules.json:1: the file is empty, write {} where nothing is to be injected");
    }

    @Test
    void reportsEverythingAtOnceBesideWhatIsWrongInTheGatewaysOwnFile() throws IOException {
        Path file = Files.writeString(directory.resolve("rules.json"), """
                {"resourceMap": {"T": {"nvidia.com/gpu": {"resourceList": [
                  {"name": "cpu", "coefficient": -2, "unit": "x"},
                  {"name": "cpu", "name": "memory", "coefficient": 1}
                ]}}},
                "resourceMap": {}}
                """);

        ConfigLoader.Loading loading = Loads.text("webhook: { port: 0 }\ninjection: { file: " + file + " }");

        assertThat(shown(((ConfigLoader.Loading.NotLoaded) loading).problems()).stream()
                        .map(line -> line.replaceAll("^\\S*gateway\\S*:1:", "gateway.yaml:1:"))
                        .map(line -> line.replaceAll(", expected.*", "")))
                .containsExactly(
                        "gateway.yaml:1: webhook.port is 0",
                        "rules.json:2: resourceMap.T.\"nvidia.com/gpu\".resourceList[0].coefficient is -2",
                        "rules.json:2: resourceMap.T.\"nvidia.com/gpu\".resourceList[0].unit is \"x\"",
                        "rules.json:3: resourceMap.T.\"nvidia.com/gpu\".resourceList[1].name is written twice, first in"
                                + " line 3, keep one",
                        "rules.json:5: resourceMap is written twice, first in line 1, keep one");
    }

    @ParameterizedTest
    @CsvSource({"0.25", "0.5", "0.9", "0.99"})
    void aHalfWrittenFileIsRefused(double part) throws IOException {
        String stripped = PREDECESSOR.strip();
        String half = stripped.substring(0, (int) (stripped.length() * part));

        assertThat(problems(half)).singleElement().asString().contains("is no JSON from column", "cut short");
    }

    @Test
    void aFileOfTenMegabytesIsRefusedUnread() throws IOException {
        assertThat(problems(PREDECESSOR + " ".repeat(10 << 20)))
                .containsExactly("rules.json: the file is larger than 1048576 bytes, the most a ConfigMap holds, name"
                        + " gpuinjector's file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"a\": NaN}", "{'a': 1}", "{\"a\": 01}", "{\"a\": 1,}", "/* no */ {}", "{a: 1}"})
    void takesStrictJsonOnly(String json) throws IOException {
        assertThat(problems(json)).singleElement().asString().contains("is no JSON");
    }

    @Test
    void deepNestingIsRefused() throws IOException {
        assertThat(problems("[".repeat(100_000))).singleElement().asString().contains("rules.json");
        assertThat(problems("{\"a\":".repeat(30) + "1" + "}".repeat(30)).getFirst())
                .contains("nested too deeply");
    }

    private static String pages(String name, String coefficient, String unit) {
        return RULE.formatted("{\"resourceList\": [{\"name\": \"cpu\", \"coefficient\": 1}, {\"name\": \"" + name
                + "\", \"coefficient\": " + coefficient + ", \"unit\": \"" + unit + "\"}]}");
    }

    @ParameterizedTest
    @CsvSource({
        "hugepages-2Mi, 4, Mi",
        "hugepages-2Mi, 0.5, Gi",
        "hugepages-2Mi, 2097152, ''",
        "hugepages-2Mi, 0, Mi",
        "hugepages-1Gi, 1, Gi",
        "hugepages-1Gi, 1073741824, k",
        "hugepages-64Ki, 1.5, Mi"
    })
    void wholePagesMayBeInjected(String name, String coefficient, String unit) throws IOException {
        assertThat(Loads.loaded(load(pages(name, coefficient, unit))).warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "hugepages-2Mi, 3, Mi",
        "hugepages-2Mi, 2.5, Mi",
        "hugepages-2Mi, 0.5, Mi",
        "hugepages-2Mi, 2, M",
        "hugepages-1Gi, 512, Mi",
        "hugepages-1Gi, 1.5, M"
    })
    void partsOfPagesMayNot(String name, String coefficient, String unit) throws IOException {
        assertThat(problems(pages(name, coefficient, unit)))
                .containsExactly("rules.json:1: resourceMap.T.\"nvidia.com/gpu\".resourceList[1].coefficient is "
                        + coefficient + unit + " with its unit, expected whole pages for any number of GPUs: a whole"
                        + " multiple of " + name.substring(10) + ", or such a multiple as the unit");
    }

    @Test
    void aSizeOfPagesIsAQuantity() throws IOException {
        assertThat(problems(pages("hugepages-2K", "1", "Gi")))
                .singleElement()
                .asString()
                .contains("\"hugepages-2K\", not a qualified resource name");
    }

    @Test
    void hugePagesAloneAreDoubtful() throws IOException {
        String alone = RULE.formatted(
                "{\"resourceList\": [{\"name\": \"hugepages-2Mi\", \"coefficient\": 2, \"unit\": \"Mi\"}]}");

        assertThat(shown(Loads.loaded(load(alone)).warnings()))
                .containsExactly(
                        "rules.json:1: resourceMap.T.\"nvidia.com/gpu\".resourceList has huge pages and neither"
                                + " cpu nor memory, add one: the API server refuses containers that have huge pages alone");
    }

    /** The second pass over a pod would take what the first injected for a GPU of its own. */
    @Test
    void whatStandsInAChainIsNotInjected() throws IOException {
        Path file = Files.writeString(directory.resolve("rules.json"), RULE.formatted("""
                {"resourceList": [
                {"name": "example.com/a", "coefficient": 1},
                {"name": "example.com/b", "coefficient": 1},
                {"name": "example.com/c", "coefficient": 1},
                {"name": "example.com/d", "coefficient": 1}]}"""));
        ConfigLoader.Loading loading = Loads.text("""
                policy:
                  chains: { example.com/a: [example.com/b] }
                  namespaces: { "team-*": { chains: { nvidia.com/gpu: [example.com/c] } } }
                webhook: { port: 0 }
                injection: { file: %s }
                """.formatted(file));

        String fix = " of the gateway's configuration contains; remove it there, or do not inject it";
        String item = "resourceMap.T.\"nvidia.com/gpu\".resourceList";
        String other = ", expected a resource other than the GPUs that ";
        assertThat(shown(((ConfigLoader.Loading.NotLoaded) loading).problems()))
                .hasSize(4)
                .endsWith(
                        "rules.json:2: " + item + "[0].name is \"example.com/a\"" + other + "policy.chains" + fix,
                        "rules.json:3: " + item + "[1].name is \"example.com/b\"" + other + "policy.chains" + fix,
                        "rules.json:4: " + item + "[2].name is \"example.com/c\"" + other
                                + "policy.namespaces.\"team-*\".chains" + fix);
    }

    private static String rule(String coefficient) {
        return RULE.formatted("{\"resourceList\": [{\"name\": \"cpu\", \"coefficient\": " + coefficient + "}]}");
    }

    @Test
    void whatIsTooLongIsNamed() throws IOException {
        assertThat(problems(rule("9".repeat(2_000))))
                .containsExactly("rules.json:1: resourceMap.T.\"nvidia.com/gpu\".resourceList[0].coefficient is "
                        + "9".repeat(80) + "…, expected a number from 0 to 9.2e18, of at most 40 digits");
        assertThat(problems("{\"" + "k".repeat(60_000) + "\": 1}"))
                .containsExactly("rules.json:1: " + "\"" + "k".repeat(320) + "…\" is not a known key, known here:"
                        + " resourceMap, namespaceResourceMap, namespaceWhiteList");
        assertThat(problems("{\"resourceMap\": " + "[".repeat(2_000) + "]".repeat(2_000) + "}"))
                .allMatch(problem -> problem.contains("nested too deeply"))
                .hasSize(1);
    }

    @Test
    void aByteOrderMarkIsPassedOver() throws IOException {
        assertThat(Loads.loaded(load("\uFEFF" + PREDECESSOR)).injector())
                .isEqualTo(Loads.loaded(load(PREDECESSOR)).injector());
        assertThat(problems("\uFEFF"))
                .containsExactly("rules.json:1: the file is empty, write {} where nothing is to" + " be injected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0", "-0.0", "-0e3", "0"})
    void zeroIsZeroWithASign(String zero) throws IOException {
        assertThat(Loads.loaded(load(rule(zero))).injector())
                .isEqualTo(Loads.loaded(load(rule("0"))).injector());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-0.1", "-1e-9"})
    void lessThanZeroIsRefused(String coefficient) throws IOException {
        assertThat(problems(rule(coefficient)))
                .singleElement()
                .asString()
                .contains("is " + coefficient + ", expected a number from 0 to 9.2e18");
    }

    @ParameterizedTest
    @CsvSource({"a/x", "a.b-c/X_y.z", "Example.com/x", "x"})
    void takesEveryLegalKeyOfAnAnnotation(String key) throws IOException {
        assertThat(load(RULE.formatted("{\"annotations\": {\"" + key + "\": \"\"}}")))
                .isInstanceOf(ConfigLoader.Loading.Loaded.class);
    }

    @ParameterizedTest
    @CsvSource({"example..com/net", "-a.b/x", "..a/x", "a-/x", "a.-b/x", "/x", "a/b/c", "a/"})
    void refusesKeysOfAnnotationsThatTheApiServerWouldRefuse(String key) throws IOException {
        assertThat(problems(RULE.formatted("{\"annotations\": {\"" + key + "\": \"\"}}")))
                .singleElement()
                .asString()
                .contains("is not a valid key of an annotation");
    }

    @Test
    void aDefaultRuleMayInjectWhatIsAGpuInSomeNamespaceOnly() throws IOException {
        String core = "tke.cloud.tencent.com/qgpu-core";
        String file = """
                {"resourceMap": {"T": {"nvidia.com/gpu": {"resourceList": [{"name": "%s", "coefficient": 1}]}}},
                 "namespaceResourceMap": {
                   "x": {"T": {"%s": {"resourceList": [{"name": "cpu", "coefficient": 1}]}}},
                   "y": {"T": {"a.b/c": {"resourceList": [{"name": "%s", "coefficient": 1}]}}}}}
                """;

        assertThat(load(file.formatted(core, core, core))).isInstanceOf(ConfigLoader.Loading.Loaded.class);
        assertThat(problems(file.formatted("cpu", core, "nvidia.com/gpu")))
                .singleElement()
                .asString()
                .contains("namespaceResourceMap.y", "other than the GPUs");
    }

    @Test
    void aMissingFileIsAProblem() {
        assertThat(Loads.problems(Loads.text("injection: { file: no/such.json }")))
                .containsExactly(
                        "gateway.yaml:1: injection.file is no/such.json, which does not exist, create it or name"
                                + " another");
    }

    @Test
    void warnsOfWhatHasNoEffectOrIsDoubtful() throws IOException {
        ConfigLoader.Loading.Loaded loaded = Loads.loaded(load("""
                {"resourceMap": {"T": {"nvidia.com/mig-3g.30gb": {"resourceList": [
                  {"name": "cpu", "coefficient": 0.07142857142857142, "value": "4"}
                ]}}},
                "namespaceWhiteList": ["Not_One"]}
                """));

        assertThat(shown(loaded.warnings()))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("mig-3g.30gb")
                                .contains("a MIG profile that no GPU model has"),
                        line -> assertThat(line)
                                .contains("coefficient is 0.07142857142857142, taken exactly as it is written"),
                        line -> assertThat(line).contains("value has no effect, as in gpuinjector"),
                        line -> assertThat(line)
                                .contains("namespaceWhiteList[0] is \"Not_One\", no name that a namespace can have"));
    }
}
