package dev.sluice.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The files of {@code k8s/monitoring}. */
final class Monitoring {

    private static final Path RULES = Path.of("k8s", "monitoring", "prometheus-rule.yaml");

    /** In the head of the file: how a Prometheus without the operator gets its rules. */
    private static final Pattern TAKING_OUT = Pattern.compile("#   (sed .*) > rules.yaml");

    private Monitoring() {}

    /** What {@code rule_files} wants, by the command that users are given. */
    static String rules() throws IOException {
        String command = TAKING_OUT
                .matcher(Files.readString(RULES))
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow();
        return Command.in(Path.of("."), "/bin/sh", "-c", command).output();
    }
}
