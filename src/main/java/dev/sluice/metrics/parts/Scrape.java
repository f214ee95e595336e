package dev.sluice.metrics.parts;

import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Service.ScrapeQuestion;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.PartMetricValues;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Asks all parts of the gateway for their metrics. Every verticle may use it. */
public final class Scrape {

    /**
     * The time limit for the answers of the parts. A part with a healthy event loop answers much earlier, because no
     * event loop may be blocked for longer than 50 ms. Prometheus waits for 10 s.
     */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final List<String> parts;
    private final RecordFlushRequest records;
    /**
     * The names of the metrics in the last answer of each part. When a part does not answer, these metrics are left out
     * of the sum.
     */
    private final Map<String, Set<MetricName>> known = new ConcurrentHashMap<>();

    /** Creates the scrape. {@code parts} contains the name of every {@link PartMetrics} of the process. */
    public Scrape(List<String> parts, RecordFlushRequest records) {
        this.parts = List.copyOf(parts);
        this.records = records;
    }

    /**
     * Returns the sum of the values of all parts that answer in time. The sum contains every decision that was answered
     * before the call. The future never fails; a metric shows which parts are missing. If a part is missing, its
     * metrics are left out completely, even if other parts also have values for them. Otherwise the sum would decrease,
     * and a decreasing counter looks like a restart.
     */
    public Future<PartMetricValues> ask(Vertx vertx) {
        return records.flush(vertx).compose(_ -> askParts(vertx));
    }

    private Future<PartMetricValues> askParts(Vertx vertx) {
        BusRequestDeadline deadline = BusRequestDeadline.in(PATIENCE);
        List<Future<PartMetricValues>> answers = parts.stream()
                .map(part -> Service.SCRAPE.of(part).ask(vertx, new ScrapeQuestion(), deadline))
                .toList();
        return Future.join(answers).transform(_ -> Future.succeededFuture(sum(answers)));
    }

    private PartMetricValues sum(List<Future<PartMetricValues>> answers) {
        MetricFamilies missing = new MetricFamilies();
        Set<MetricName> incomplete = new HashSet<>();
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            Future<PartMetricValues> answer = answers.get(i);
            missing.show(MetricName.SCRAPE_MISSING, () -> answer.succeeded() ? 0 : 1, "part", part);
            if (answer.succeeded()) {
                known.put(part, Set.copyOf(answer.result().families().keySet()));
            } else {
                incomplete.addAll(known.getOrDefault(part, Set.of()));
            }
        }
        return PartMetricValues.sum(Stream.concat(
                                answers.stream().filter(Future::succeeded).map(Future::result),
                                Stream.of(missing.numbers()))
                        .toList())
                .without(incomplete);
    }
}
