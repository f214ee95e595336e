package dev.sluice.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.sluice.golden.GoldenCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The evaluation in Java beside the CEL library, on the pods of all golden cases. */
class WebhookConditionTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Object> REQUEST =
            Map.of("userInfo", Map.of("username", "maria", "groups", List.of("system:authenticated")));

    @Test
    void agreesWithCelAboutEachPod() throws Exception {
        JsonNode manifest = new YAMLMapper().readTree(Files.readString(Path.of("k8s/base/webhook.yaml")));
        int met = 0;
        int unmet = 0;
        for (JsonNode json : manifest.at("/webhooks/0/matchConditions")) {
            WebhookCondition condition = WebhookCondition.of(json);
            CelRuntime.Program program = program(condition);
            for (GoldenCase golden : GoldenCase.all()) {
                JsonNode pod = JSON.readTree(golden.review()).at("/request/object");
                if (pod.at("/spec/containers").isArray()) {
                    boolean byCel = (boolean) program.eval(Map.of(
                            "object",
                            JSON.convertValue(pod, new TypeReference<Map<String, Object>>() {}),
                            "request",
                            REQUEST));

                    assertThat(condition.unmet(pod, "the webhook").isEmpty())
                            .as("%s: %s", golden, condition.name())
                            .isEqualTo(byCel);
                    met += byCel ? 1 : 0;
                    unmet += byCel ? 0 : 1;
                }
            }
        }
        assertThat(met).isGreaterThan(100);
        assertThat(unmet).isPositive();
    }

    private static CelRuntime.Program program(WebhookCondition condition) throws Exception {
        return CelRuntimeFactory.standardCelRuntimeBuilder()
                .build()
                .createProgram(CelCompilerFactory.standardCelCompilerBuilder()
                        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                        .addVar("object", SimpleType.DYN)
                        .addVar("request", SimpleType.DYN)
                        .setResultType(SimpleType.BOOL)
                        .build()
                        .compile(condition.expression())
                        .getAst());
    }
}
