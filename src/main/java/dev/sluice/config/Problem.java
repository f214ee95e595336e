package dev.sluice.config;

import java.util.Comparator;

/**
 * A problem of the configuration, or a warning about it.
 *
 * @param key the path of the key, such as {@code policy.chains."nvidia.com/mig-2g.20gb"[1]}
 * @param fault names the value that was found: {@code is 0}
 * @param fix says what to do about it: {@code expected 1..65535}
 */
public record Problem(SourcePosition position, String key, String fault, String fix) {

    /** The order of the file; problems without a line come last. */
    static final Comparator<Problem> IN_ORDER = Comparator.comparingInt(
            problem -> problem.position.line == SourcePosition.NO_LINE ? Integer.MAX_VALUE : problem.position.line);

    /** One line such as {@code conf/gateway.yaml:12: webhook.port is 0, expected 1..65535}. */
    @Override
    public String toString() {
        return position + ": " + key + " " + fault + ", " + fix;
    }

    /**
     * The place of a value.
     *
     * @param source a file as the user named it, or {@code environment}
     * @param line counts from 1, or is {@link #NO_LINE}
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
