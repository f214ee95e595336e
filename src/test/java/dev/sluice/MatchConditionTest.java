package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which pods the shipped match conditions send to the gateway. The conditions are evaluated by the CEL library, on the
 * object as the API server gives it to them: as it is written, without a schema. An expression that fails fails the
 * test, since under {@code failurePolicy: Ignore} such a pod is not sent.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MatchConditionTest {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private static final Map<String, Object> REQUEST = Map.of(
            "operation",
            "CREATE",
            "namespace",
            "team",
            "userInfo",
            Map.of("username", "maria@example.com", "groups", List.of("team-a", "system:authenticated")));

    private final CelCompiler compiler = CelCompilerFactory.standardCelCompilerBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("object", SimpleType.DYN)
            .addVar("request", SimpleType.DYN)
            .setResultType(SimpleType.BOOL)
            .build();
    private final CelRuntime runtime =
            CelRuntimeFactory.standardCelRuntimeBuilder().build();
    private final List<MatchCondition> conditions = Manifests.rendered("k8s/base")
            .only(MutatingWebhookConfiguration.class)
            .getWebhooks()
            .getFirst()
            .getMatchConditions();

    /** Whether the gateway is asked about a pod with this spec and these metadata, both YAML in one line. */
    private boolean isSent(String spec, String metadata) throws Exception {
        Map<String, Object> pod = YAML.readValue(
                "{apiVersion: v1, kind: Pod, metadata: " + metadata + ", spec: " + spec + "}",
                new TypeReference<>() {});
        assertThat(conditions).isNotEmpty();
        boolean sent = true;
        for (MatchCondition condition : conditions) {
            sent &= (boolean) runtime.createProgram(
                            compiler.compile(condition.getExpression()).getAst())
                    .eval(Map.of("object", pod, "request", REQUEST));
        }
        return sent;
    }

    private boolean isSent(String spec) throws Exception {
        return isSent(spec, "{name: train, namespace: team}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{name: a, resources: {limits: {nvidia.com/gpu: 1}}}, {name: b}]",
                "[{name: a}, {name: b, resources: {limits: {nvidia.com/gpu: 1}}}]",
                "[{name: a}, {name: b, resources: {limits: {nvidia.com/gpu: 1}}}, {name: c, resources: {}}]",
                "[{name: a, resources: {limits: {cpu: 1}}}, {name: b, resources: {limits: {cpu: 1, nvidia.com/gpu: 1}}}]"
            })
    void isAskedWhereAnyOfTheContainersAsksForAGpu(String containers) throws Exception {
        assertThat(isSent("{containers: " + containers + "}")).isTrue();
        assertThat(isSent("{containers: [{name: main}], initContainers: " + containers + "}"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia.com/gpu",
                "nvidia.com/gpu.shared",
                "nvidia.com/mig-1g.10gb",
                "nvidia.com/mig-3g.40gb",
                "amd.com/gpu",
                "amd.com/cpx_nps4",
                "intel.com/gpu",
                "gpu.intel.com/i915",
                "gpu.intel.com/xe"
            })
    void isAskedAboutEveryGpuByItsNameInLimitsOrInRequests(String name) throws Exception {
        for (String map : List.of("limits", "requests")) {
            assertThat(isSent("{containers: [{name: c, resources: {" + map + ": {cpu: 1, " + name + ": 1}}}]}"))
                    .as(map)
                    .isTrue();
        }
        assertThat(isSent("{containers: [{name: c, resources: {limits: {cpu: 1}, requests: {" + name + ": 1}}}]}"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{containers: [{name: a}]}",
                "{containers: [{name: a}, {name: b, resources: {}}], initContainers: []}",
                "{containers: [{name: a, resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1}}}]}",
                "{containers: [{name: a, resources: {limits: {nvidia.com/migraine: 1, nvidia.com/gpus: 1}}}]}",
                "{containers: [{name: a, resources: {limits: {my.gpu.intel.com/i915: 1, example.com/gpu: 1}}}]}",
                "{containers: [{name: nvidia.com/gpu, env: [{name: nvidia.com/gpu, value: '1'}]}]}"
            })
    void isNotAskedAboutPodsWithoutAGpu(String spec) throws Exception {
        assertThat(isSent(spec)).isFalse();
        assertThat(isSent(spec, "{name: train, annotations: {example.com/gpu-type: T}}"))
                .isFalse();
    }

    @Test
    void isAskedAboutAPodThatSaysItsTypeOfGpu() throws Exception {
        String typed = "{name: train, annotations: {task.bkbcs.tencent.com/gpu-type: T}}";
        assertThat(isSent("{containers: [{name: a}]}", typed)).isTrue();
    }
}
