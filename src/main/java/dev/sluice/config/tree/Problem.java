package dev.sluice.config.tree;

import java.util.Comparator;

/**
 * Something wrong with the configuration, or, as a warning, something doubtful.
 *
 * @param key the whole path of the key, such as {@code policy.chains."nvidia.com/mig-2g.20gb"[1]}
 * @param fault what is wrong, with the value that was found: {@code is 0}
 * @param fix what to do about it: {@code expected 1..65535}
 */
public record Problem(SourcePosition position, String key, String fault, String fix) {

    /** As they stand in the file; what has no line comes last. */
    static final Comparator<Problem> IN_ORDER = Comparator.comparingInt(
            problem -> problem.position.line == SourcePosition.NO_LINE ? Integer.MAX_VALUE : problem.position.line);

    /** {@code conf/gateway.yaml:12: webhook.port is 0, expected 1..65535}; always one line. */
    @Override
    public String toString() {
        return position + ": " + key + " " + fault + ", " + fix;
    }

    /**
     * Where it was written.
     *
     * @param source a file as the user named it, or {@code environment}
     * @param line from 1, or {@link #NO_LINE}
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
