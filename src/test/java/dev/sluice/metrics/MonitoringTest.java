package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.doctor.DiagnosisCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules and the dashboard of {@code k8s/monitoring} speak of what the gateway shows, and of what is written. */
class MonitoringTest {

    private static final Path RULES = Path.of("k8s/monitoring/prometheus-rule.yaml");
    private static final Path DASHBOARD = Path.of("k8s/monitoring/dashboard.json");
    private static final Path RUNBOOK = Path.of("src/docs/runbook.md");
    private static final Path CASES = Path.of("src/it/monitoring/rules-test.yaml");

    /** Names of metrics, of recorded series too; words in quotation marks are labels' values. */
    private static final Pattern NAME = Pattern.compile("\\b(?:gpu_webhook|apiserver)[a-z0-9_:]+");

    /** The same in the text of a document. A name that ends in _ stands for all that begin so. */
    private static final Pattern IN_TEXT = Pattern.compile(
            "(?<![\\w./:-])(?:(?:gpu_webhook|jvm|netty|process|vertx)_[a-z0-9_]*[a-z0-9]|gpu_webhook:[a-z0-9_:]+)(?![\\w*])");

    /** A row of the runbook's table of former names. */
    private static final Pattern RENAMED = Pattern.compile("(?m)^\\| `(\\w+)` \\| \\[(\\w+)]");

    private static final Pattern OURS =
            Pattern.compile("((?:gpu_webhook|jvm|netty|process|vertx)_\\w+)_(?:total|bucket|count|sum|info)");
    private static final String OF_THE_API_SERVER = "apiserver_admission_webhook_fail_open_count";

    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void eachAlertSaysWhatItIsAndHasASectionOfTheRunbook() throws IOException {
        Set<String> sections = Files.readString(RUNBOOK)
                .lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .collect(Collectors.toSet());
        assertThat(alerts()).isNotEmpty().allSatisfy(alert -> {
            String name = alert.path("alert").asText();
            JsonNode annotations = alert.path("annotations");
            assertThat(annotations.path("summary").asText()).as(name).isNotBlank();
            assertThat(annotations.path("description").asText()).as(name).endsWith(".");
            assertThat(annotations.path("runbook_url").asText())
                    .isEqualTo(RUNBOOK + "#" + name.toLowerCase(Locale.ROOT));
            assertThat(alert.at("/labels/severity").asText()).as(name).isIn("warning", "critical");
            assertThat(sections).contains(name);
        });
        assertThat(sections).hasSameSizeAs(alerts());
    }

    @Test
    void theNamesOfAllAlertsBeginAlike() throws IOException {
        assertThat(alerts())
                .allSatisfy(alert -> assertThat(alert.path("alert").asText()).matches("GpuWebhook([A-Z][a-z]+)+"));
    }

    @Test
    void noCriticalAlertFiresAtTheFirstSample() throws IOException {
        assertThat(alerts())
                .filteredOn(alert -> alert.at("/labels/severity").asText().equals("critical"))
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(alert.path("for").asText())
                        .as(alert.path("alert").asText())
                        .matches("[1-9][0-9]*[mh]"));
    }

    @Test
    void theRunbookLeadsFromEachFormerNameToAnAlert() throws IOException {
        List<String> names =
                alerts().stream().map(alert -> alert.path("alert").asText()).toList();
        List<MatchResult> renamed =
                RENAMED.matcher(Files.readString(RUNBOOK)).results().toList();

        assertThat(renamed).extracting(row -> row.group(1)).hasSize(6).doesNotContainAnyElementsOf(names);
        assertThat(renamed).extracting(row -> row.group(2)).isSubsetOf(names);
    }

    @Test
    void theAlertForPodsThatWaitInVainLeavesOutWhatWaitingCures() throws IOException {
        String left = Stream.concat(
                        Arrays.stream(DiagnosisCode.values())
                                .filter(code -> code != DiagnosisCode.HEALTHY)
                                .filter(code -> code.isCuredByWaiting() || code == DiagnosisCode.SCHEDULING_GATED)
                                .map(DiagnosisCode::word),
                        Stream.of("Unknown"))
                .sorted()
                .collect(Collectors.joining("|"));

        assertThat(Files.readString(RULES)).contains("gpu_webhook_pending_pods{verdict!~\"" + left + "\"}");
    }

    @Test
    void eachAlertHasACaseThatFiresAndOneThatStaysSilent() throws IOException {
        List<String> cases = YAML.readTree(CASES.toFile())
                .path("tests")
                .valueStream()
                .map(each -> each.path("name").asText()
                        + each.at("/promql_expr_test/0/exp_samples").size())
                .toList();
        List<String> wanted = alerts().stream()
                .map(alert -> alert.path("alert").asText())
                .flatMap(name -> Stream.of(name + " fires1", name + " stays silent0"))
                .toList();
        assertThat(cases).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void namesOnlyWhatTheGatewayShowsOrARuleRecords() throws IOException {
        Set<String> known = known();
        assertThat(expressions())
                .isNotEmpty()
                .allSatisfy(expression ->
                        assertThat(names(expression)).as(expression).isSubsetOf(known));
    }

    /** Decisions and laboratory books are about their time, and may name what there is no more. */
    @Test
    void documentsAndManifestsNameOnlyWhatTheGatewayShowsOrARuleRecords() throws IOException {
        Set<String> known = known();
        List<Path> files = new ArrayList<>(List.of(Path.of("README.md")));
        for (String directory : List.of("src/docs", "k8s", "conf")) {
            try (Stream<Path> all = Files.walk(Path.of(directory))) {
                all.filter(Files::isRegularFile)
                        .filter(file ->
                                !file.startsWith("src/docs/decisions") && !file.startsWith("src/docs/campaigns"))
                        .filter(file -> file.toString().matches(".*\\.(md|ya?ml|json|tpl|txt)"))
                        .forEach(files::add);
            }
        }
        Set<String> named = new TreeSet<>();
        for (Path file : files) {
            Set<String> inFile = IN_TEXT.matcher(Files.readString(file))
                    .results()
                    .map(MatchResult::group)
                    .map(name -> OURS.matcher(name).replaceFirst("$1"))
                    .collect(Collectors.toSet());
            assertThat(inFile).as(file.toString()).allMatch(known::contains);
            named.addAll(inFile);
        }
        assertThat(named).hasSizeGreaterThan(100);
    }

    /** The names of all metrics and recorded series. */
    private static Set<String> known() throws IOException {
        Set<String> known =
                Arrays.stream(MetricName.values()).map(MetricName::text).collect(Collectors.toCollection(TreeSet::new));
        known.add(OF_THE_API_SERVER);
        rules().stream()
                .filter(rule -> rule.has("record"))
                .forEach(rule -> known.add(rule.path("record").asText()));
        return known;
    }

    private static Set<String> names(String expression) {
        return NAME.matcher(expression.replaceAll("\"[^\"]*\"", ""))
                .results()
                .map(MatchResult::group)
                .map(name -> OURS.matcher(name).replaceFirst("$1"))
                .collect(Collectors.toSet());
    }

    private static List<String> expressions() throws IOException {
        Stream<JsonNode> targets = YAML.readTree(DASHBOARD.toFile())
                .path("panels")
                .valueStream()
                .flatMap(panel -> panel.path("targets").valueStream());
        return Stream.concat(rules().stream(), targets)
                .map(each -> each.path("expr").asText())
                .toList();
    }

    private static List<JsonNode> alerts() throws IOException {
        return rules().stream().filter(rule -> rule.has("alert")).toList();
    }

    private static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        YAML.readTree(RULES.toFile())
                .at("/spec/groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }
}
