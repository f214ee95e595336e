package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.app.ClusterSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every metric that the page metrics.md lists is shown. Other tests compare documents and rules with that list. */
@Timeout(60)
class EmittedMetricsTest {

    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\w+?)(?:_total|_info)? \\w+$");

    private static final Pattern NAME = Pattern.compile("`(\\w+?)(?:_total|_info)?(?:\\{[a-z,]+})?`");

    @Test
    void everyMetricOfThePageIsShownAndNoOther() throws Exception {
        Set<String> shown = new TreeSet<>();
        ClusterSource file = new ClusterSource.File(Path.of("conf/demo/clusters/mixed.yaml"));
        // One shows what a diagnosis counts, and the other the series of Vert.x.
        try (GatewayUnderTest diagnosing = GatewayUnderTest.diagnosing(file);
                GatewayUnderTest other = GatewayUnderTest.start(ActivePolicy.DEFAULT)) {
            Set<String> all = ofThePage();
            while (!shown.containsAll(all) && shown.addAll(families(diagnosing))) {
                shown.addAll(families(other));
            }
            assertThat(shown).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    /** Returns the names in the tables of the page. */
    private static Set<String> ofThePage() throws IOException {
        return Files.readString(Path.of("src/docs/metrics.md"))
                .lines()
                .filter(line -> line.matches("\\| `(gpu_webhook|jvm|netty|process|vertx)_.*"))
                .flatMap(line ->
                        NAME.matcher(line.substring(0, line.indexOf('|', 1))).results())
                .map((MatchResult name) -> name.group(1))
                .collect(Collectors.toSet());
    }

    private static Set<String> families(GatewayUnderTest gateway) throws IOException, InterruptedException {
        return FAMILY.matcher(gateway.page("/metrics"))
                .results()
                .map((MatchResult family) -> family.group(1))
                .collect(Collectors.toSet());
    }
}
