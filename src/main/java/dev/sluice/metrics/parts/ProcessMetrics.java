package dev.sluice.metrics.parts;

import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.webhook.intake.AbuseCause;
import dev.sluice.webhook.intake.SharedLimits;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/** Shows the limits and the log that all gateways of the process share. */
public record ProcessMetrics(MetricFamilies families) implements PartMetrics {

    /** Creates the part. {@code lostLines} returns the number of dropped log lines. */
    public ProcessMetrics(SharedLimits webhook, LongSupplier lostLines) {
        this(new MetricFamilies());
        families.show(MetricName.LOG_LINES_LOST, lostLines::getAsLong);
        families.show(MetricName.CONNECTIONS, () -> webhook.connections().count(), "port", "webhook");
        families.show(MetricName.BODY_MEMORY, () -> webhook.budget().heldBytes());
        for (AbuseCause cause : AbuseCause.values()) {
            families.show(MetricName.ABUSE, () -> webhook.abuse().count(cause), "cause", cause.word());
        }
    }

    @Override
    public String part() {
        return "process";
    }

    /** Subscribes to nothing, because the values are read where they are counted. */
    @Override
    public void listen(Vertx vertx) {}
}
