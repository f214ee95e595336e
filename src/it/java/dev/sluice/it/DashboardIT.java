package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes the packaged gateway, and is asked what the dashboard and the rules ask. */
@WithPrometheus
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {

    private static final Path DASHBOARD = Path.of("k8s", "monitoring", "dashboard.json");

    private Siege gateway;
    private Prometheus prometheus;

    @BeforeAll
    void reviewsAreSentWhilePrometheusScrapes(@TempDir Path directory) throws Exception {
        gateway = Siege.on(new GeneratedCluster(3, 10), "");
        prometheus = new Prometheus(directory, gateway.managementPort());
        Served served = gateway.goodClient().inQuiet(Duration.ofSeconds(5));
        assertThat(served.failures()).isEmpty();
    }

    @AfterAll
    void nothingIsLeft() throws IOException {
        prometheus.close();
        gateway.close();
    }

    @Test
    void eachQueryOfADashboardsPanelReturnsData() throws Exception {
        List<String> expressions = expressions();
        assertThat(expressions).hasSizeGreaterThan(40);
        List<String> empty = new ArrayList<>();
        for (String expression : expressions) {
            if (!isNumber(prometheus.query(asGrafanaFillsIn(expression)))) {
                empty.add(expression);
            }
        }
        assertThat(empty).isEmpty();
    }

    @Test
    void eachRuleIsEvaluatedAndWhatIsRecordedIsThere() throws Exception {
        List<JsonNode> rules = new ArrayList<>();
        prometheus.rules().forEach(group -> group.path("rules").forEach(rules::add));
        assertThat(rules)
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(rule.path("health").asText())
                        .as(rule.path("name").asText() + rule.path("lastError"))
                        .isEqualTo("ok"));
        for (JsonNode rule : rules) {
            if (rule.path("type").asText().equals("recording")) {
                String name = rule.path("name").asText();
                Eventually.holds(name + " is recorded", () -> isNumber(prometheus.query(name)));
            }
        }
    }

    /** At least one series has a value that can be drawn. */
    private static boolean isNumber(JsonNode vector) {
        return StreamSupport.stream(vector.spliterator(), false)
                .anyMatch(series -> !series.at("/value/1").asText("NaN").equals("NaN"));
    }

    private static List<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        new ObjectMapper()
                .readTree(DASHBOARD.toFile())
                .path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> expressions.add(target.path("expr").asText())));
        return expressions;
    }

    private static String asGrafanaFillsIn(String expression) {
        return expression
                .replace("$job", ".*")
                .replace("$instance", ".*")
                .replace("$__rate_interval", "1m")
                .replace("$__range", "5m");
    }
}
