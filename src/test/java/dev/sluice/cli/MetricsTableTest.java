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
    void thoseOfSluiceComeFirst() {
        String before = "# HELP go_goroutines Not ours.\ngo_goroutines 7\n";

        assertThat(print(before + page(3))).endsWith(print(before)).startsWith("gpu_webhook_decisions_total");
    }

    @Test
    void noTimeAndNoWholeNumberIsRounded() {
        String page = """
                # HELP process_start_time_seconds When the process began, in seconds since 1970.
                process_start_time_seconds %s
                # HELP jvm_memory_used_bytes Memory.
                jvm_memory_used_bytes{area="heap"} 1.23456789E8
                # HELP process_cpu_seconds_total Processor time.
                process_cpu_seconds_total 1.23456789
                """;
        assertThat(print(page.formatted("1.795747402567E9")))
                .contains("  1795747402.567\n", "  123456789\n", "  1.234568\n");
        assertThat(print(page.formatted("1.795747403068E9"))).contains("  1795747403.068 (+0.501)\n");
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
