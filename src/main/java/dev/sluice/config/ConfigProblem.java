package dev.sluice.config;

import java.util.Comparator;

/**
 * A problem of the configuration, or a warning about it.
 *
 * @param key the path of the key, such as {@code policy.chains."nvidia.com/mig-2g.20gb"[1]}
 * @param fault what is wrong, with the value, such as {@code is 0}
 * @param fix what to do about it, such as {@code expected 1..65535}
 */
public record ConfigProblem(SourcePosition position, String key, String fault, String fix) {

    /** Orders problems by their file, and by their line in the file. Problems without a line come after all others. */
    static final Comparator<ConfigProblem> IN_ORDER = Comparator.comparing(
                    (ConfigProblem problem) -> problem.position.line == SourcePosition.NO_LINE)
            .thenComparing(problem -> problem.position.line == SourcePosition.NO_LINE ? "" : problem.position.source)
            .thenComparingInt(problem -> problem.position.line);

    /** Returns one line such as {@code conf/gateway.yaml:12: webhook.port is 0, expected 1..65535}. */
    @Override
    public String toString() {
        return position + ": " + key + " " + fault + ", " + fix;
    }

    /**
     * The position of a value.
     *
     * @param source the name of the file as the user wrote it, or {@code environment}
     * @param line the number of the line, beginning with 1, or {@link #NO_LINE}
     */
    public record SourcePosition(String source, int line) {

        public static final int NO_LINE = 0;

        public static final SourcePosition ENVIRONMENT = new SourcePosition("environment", NO_LINE);

        @Override
        public String toString() {
            return line == NO_LINE ? source : source + ":" + line;
        }
    }
}
