package dev.sluice.metrics.parts;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Shows the state of the watches of nodes and pods. This class is not thread-safe. */
final class SourceMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private final Map<ObjectKind, WatchStatusMessage> watches = new EnumMap<>(ObjectKind.class);

    SourceMetrics() {
        for (ObjectKind kind : ObjectKind.values()) {
            show(kind);
        }
    }

    private void show(ObjectKind kind) {
        String word = kind.word();
        families.show(MetricName.SYNCED, () -> status(kind).isSynced() ? 1 : 0, "kind", word);
        families.moment(
                MetricName.LAST_HEARD,
                () -> Objects.requireNonNullElse(status(kind).lastHeardAt(), Instant.MIN),
                "kind",
                word);
        families.show(MetricName.UNREAD, () -> status(kind).unreadable().current(), "kind", word);
        families.show(MetricName.RELISTS, () -> status(kind).relists(), "kind", word);
        families.show(MetricName.WATCH_FAILURES, () -> status(kind).failures(), "kind", word);
        families.show(MetricName.PASSED_OVER, () -> status(kind).unreadable().total(), "kind", word);
    }

    private WatchStatusMessage status(ObjectKind kind) {
        return watches.getOrDefault(kind, WatchStatusMessage.ofNew(kind, ""));
    }

    @Override
    public String part() {
        return "source";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.WATCH_STATUS.subscribe(vertx, newest -> watches.put(newest.kind(), newest));
    }
}
