package dev.sluice.bench;

import dev.sluice.it.Figure;
import dev.sluice.it.Reading;

/** What came of creating pods once, and what the figures grew by meanwhile. */
record Round(Setting setting, Writers.Result result, Reading grown) {

    /** What a round is made with. */
    enum Setting {
        WITH,
        WITHOUT
    }

    /** Pods a second. */
    double pace() {
        return result.created() / result.seconds();
    }

    static String header() {
        return """
                | gateway | pods/s | median | p99 | created | changed | connections | API server | gateway | others |
                |---|---|---|---|---|---|---|---|---|---|""";
    }

    /** API server and gateway: processor time for a pod. Others: their share of what the processors did. */
    String row() {
        return "| %s | %.0f | %.0f ms | %.0f ms | %d | %d | %.0f | %.2f ms | %.2f ms | %.0f %% |"
                .formatted(
                        setting == Setting.WITH ? "with" : "without",
                        pace(),
                        result.median() * 1e3,
                        result.slowest() * 1e3,
                        result.created(),
                        result.changed(),
                        grown.of(Figure.CONNECTIONS),
                        millisPerPod(Figure.API_SERVER_CPU),
                        millisPerPod(Figure.GATEWAY_CPU),
                        100 * (1 - grown.of(Figure.OUR_CPU) / grown.of(Figure.MACHINE_CPU)));
    }

    private double millisPerPod(Figure processorTime) {
        return 1e3 * grown.of(processorTime) / result.created();
    }
}
