package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.TerminalPage;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MetricsTableTest {

    private final StringWriter text = new StringWriter();
    private final MetricsTable table = new MetricsTable(new TerminalPage(new PrintWriter(text), AnsiStyle.PLAIN));

    private String print(String page) {
        text.getBuffer().setLength(0);
        table.print(MetricsCommandFamily.of(page));
        return text.toString();
    }

    private static String page(int changed) {
        return """
                # HELP gpu_webhook_decisions_total Pods with a GPU request, by what was decided and why.
                # TYPE gpu_webhook_decisions_total counter
                gpu_webhook_decisions_total{decision="changed",reason="NotOffered"} %s.0
                gpu_webhook_decisions_total{decision="kept",reason="KeptAsWritten"} 0.0
                # HELP gpu_webhook_certificate_loaded_timestamp_seconds When it was read.
                # TYPE gpu_webhook_certificate_loaded_timestamp_seconds gauge
                gpu_webhook_certificate_loaded_timestamp_seconds 1.7638E9
                """.formatted(changed);
    }

    @Test
    void eachMetricIsShownWithWhatItCounts() {
        assertThat(print(page(3))).isEqualToIgnoringNewLines("""
                        gpu_webhook_decisions_total  Pods with a GPU request, by what was decided and why.
                            {decision="changed",reason="NotOffered"}  3
                            1 series at zero
                        gpu_webhook_certificate_loaded_timestamp_seconds  When it was read.
                            1763800000
                        """);
    }

    @Test
    void theSecondTimeTellsWhatWasAdded() {
        assertThat(print(page(3))).doesNotContain("(+");

        assertThat(print(page(5)))
                .contains("{decision=\"changed\",reason=\"NotOffered\"}  5 (+2)")
                .contains("    1763800000" + System.lineSeparator());
    }

    @Test
    void whatIsNoPageOfMetricsIsPassedOver() {
        assertThat(MetricsCommandFamily.of("<html>\n# HELP\n# HELP a\n# HELP a b\na{ x\nnot a number\na NaN\n"))
                .hasSize(1)
                .first()
                .satisfies(family -> assertThat(family.series()).containsOnlyKeys("a"));
    }

    @Test
    void noNameSteersTheTerminal() {
        assertThat(print("# HELP a \u001b[2Jhelp\na{x=\"\u202e\"} 1\n"))
                .contains("\\u001b[2Jhelp")
                .contains("{x=\"\\u202e\"}  1");
    }
}
