package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' own judgement of the rules, and each alert once where it fires and once where it stays silent. */
@WithPrometheus
class MonitoringRulesIT {

    @TempDir
    Path directory;

    @BeforeEach
    void rulesAsTheirHeadSaysTheyAreTakenOut() throws IOException {
        Files.writeString(directory.resolve("rules.yaml"), Monitoring.rules());
        Files.copy(Path.of("src/it/monitoring/rules-test.yaml"), directory.resolve("rules-test.yaml"));
    }

    @Test
    void prometheusAcceptsTheRules() {
        assertThat(promtool("check", "rules", "--lint=all", "--lint-fatal", "rules.yaml"))
                .contains("SUCCESS");
    }

    @Test
    void eachAlertFiresWhereItShouldAndNowhereElse() {
        assertThat(promtool("test", "rules", "rules-test.yaml")).contains("SUCCESS");
    }

    private String promtool(String... words) {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(words));
        Command.Ended ended = Command.in(directory, command).run();
        assertThat(ended.code()).as(ended.output() + ended.complaint()).isZero();
        return ended.output() + ended.complaint();
    }
}
