package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.golden.GoldenCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why injection refuses a pod, or gives it nothing. */
class ExplainInjectionTest {

    @TempDir
    private Path directory;

    private static String text(String name) {
        return explain(GoldenCase.named(name).directory(), "text");
    }

    private static JsonNode json(String name) throws IOException {
        return new ObjectMapper()
                .readTree(explain(GoldenCase.named(name).directory(), "json"))
                .path("pods")
                .path(0);
    }

    private static String explain(Path directory, String output) {
        return Cli.run(
                        "explain",
                        "-f",
                        directory.resolve("pod.yaml"),
                        "--cluster-snapshot",
                        directory.resolve("cluster.yaml"),
                        "--config",
                        directory.resolve("gateway.yaml"),
                        "-o",
                        output)
                .out();
    }

    @Test
    void showsTheCalculationOfWhatIsTooLarge() throws IOException {
        assertThat(text("injection-refuses-what-is-too-large")).contains("""
                    1  nvidia.com/gpu  offered, but injection refuses the pod with it
                         fits      4     gpu-1

                  injection refused for 2 nvidia.com/gpu of gpu-type V100, by the default rule
                    cpu, 4000m for each GPU: 8 in total, minus 5 of a, 3500m of b: 500m too much
                """);
        assertThat(json("injection-refuses-what-is-too-large").path("injectionRefused"))
                .hasToString(
                        "{\"why\":\"tooLarge\",\"type\":\"V100\",\"resource\":\"nvidia.com/gpu\",\"ruleOfNamespace\":null,"
                                + "\"gpus\":\"2\",\"injected\":\"cpu\",\"total\":\"8\","
                                + "\"taken\":[{\"container\":\"a\",\"request\":\"5\"},{\"container\":\"b\",\"request\":\"3500m\"}],"
                                + "\"asked\":\"8500m\"}");
    }

    @Test
    void showsWhoNamesDifferentResources() throws IOException {
        assertThat(text("injection-refuses-different-gpu-resources")).contains("""
                  injection refused: a rule of gpu-type V100 serves one GPU resource, not 2
                    amd.com/gpu in container b
                    nvidia.com/gpu in container a
                """);
        assertThat(json("injection-refuses-different-gpu-resources").path("injectionRefused"))
                .hasToString("{\"why\":\"differentResources\",\"type\":\"V100\",\"wanted\":["
                        + "{\"resource\":\"amd.com/gpu\",\"containers\":[\"b\"]},"
                        + "{\"resource\":\"nvidia.com/gpu\",\"containers\":[\"a\"]}]}");
    }

    @Test
    void showsWhoAsksForNoneAndWhatNoQuantityCanSay() throws IOException {
        assertThat(text("injection-refuses-a-pod-that-has-no-gpu")).contains("""
                  injection refused: the pod names a GPU of gpu-type V100 and asks for 0 of it
                    nvidia.com/gpu in container train
                """);
        assertThat(json("injection-refuses-a-pod-that-has-no-gpu").path("injectionRefused"))
                .hasToString("{\"why\":\"noGpu\",\"type\":\"V100\",\"wanted\":["
                        + "{\"resource\":\"nvidia.com/gpu\",\"containers\":[\"train\"]}]}");
        assertThat(text("injection-refuses-absurd-numbers-of-gpus")).contains("""
                  injection refused for 1000000000000000000 nvidia.com/gpu of gpu-type V100, by the default rule
                    cpu, 4000m for each GPU: more than a quantity can say
                """);
        assertThat(json("injection-refuses-absurd-numbers-of-gpus").path("injectionRefused"))
                .hasToString("{\"why\":\"overflow\",\"type\":\"V100\",\"resource\":\"nvidia.com/gpu\","
                        + "\"ruleOfNamespace\":null,\"gpus\":\"1000000000000000000\",\"injected\":\"cpu\"}");
    }

    @Test
    void saysWhyNothingIsInjected() throws IOException {
        assertThat(text("injection-skips-white-listed-namespaces"))
                .contains("\n  nothing injected: namespaceWhiteList has the namespace quiet\n");
        assertThat(json("injection-skips-white-listed-namespaces").path("notInjected"))
                .hasToString("{\"why\":\"namespaceSkipped\"}");
        assertThat(text("injection-of-an-unknown-type-does-nothing"))
                .contains("\n  nothing injected: no rule is for gpu-type T4 here, only for QGPU, SHM, V100\n");
        assertThat(json("injection-of-an-unknown-type-does-nothing").path("notInjected"))
                .hasToString("{\"why\":\"unknownType\",\"type\":\"T4\",\"known\":[\"QGPU\",\"SHM\",\"V100\"]}");
        assertThat(text("injection-asks-main-containers-only")).contains("""
                  nothing injected: the rules of gpu-type V100 are for amd.com/gpu, nvidia.com/gpu,
                  nvidia.com/mig-1g.10gb, and no main container names any of them
                """);
        assertThat(json("injection-asks-main-containers-only").path("notInjected"))
                .hasToString("{\"why\":\"otherResources\",\"type\":\"V100\","
                        + "\"resources\":[\"amd.com/gpu\",\"nvidia.com/gpu\",\"nvidia.com/mig-1g.10gb\"]}");
    }

    /** A pod that asks for a type, or for none, where there are rules, or none. */
    @ParameterizedTest(name = "type {0}, rules {1}, {2}")
    @CsvSource(delimiter = '|', textBlock = """
            T4 |  | 1 | nothing injected: no rules are configured (injection.file) for gpu-type T4 or any other
               |  | 1 |
               | conf/gpu-injection.json | 1    | nothing injected: the pod has no annotation task.bkbcs.tencent.com/gpu-type
               | conf/gpu-injection.json | 0    |
            T4 | conf/gpu-injection.json | 500m | nothing injected: the pod is left as written
            """)
    void saysNothingWhereNobodyWouldAsk(String type, String rules, String gpus, String sentence) throws IOException {
        Path pod = Files.writeString(
                directory.resolve("pod.yaml"),
                "{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {task.bkbcs.tencent.com/"
                        + (type == null ? "other: x" : "gpu-type: " + type)
                        + "}}, spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: " + gpus + "}}}]}}");
        Path config = Files.writeString(
                directory.resolve("gateway.yaml"), "injection: {file: " + (rules == null ? "null" : rules) + "}");
        Path cluster = Files.writeString(
                directory.resolve("cluster.yaml"),
                "kind: List\nitems: [{kind: Node, metadata: {name: n}, status: {allocatable: {nvidia.com/gpu: 4}}}]");

        String out = Cli.run("explain", "-f", pod, "--config", config, "--cluster-snapshot", cluster)
                .out();

        if (sentence == null) {
            assertThat(out).startsWith("Pod p").doesNotContain("injected");
        } else {
            assertThat(out).contains("\n  " + sentence + "\n");
        }
    }
}
