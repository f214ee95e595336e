package dev.sluice.metrics.parts;

import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.webhook.intake.ClientAbuseCause;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/**
 * Shows the values that all gateway verticles of the process share: the limits of the webhook port, and the lost log
 * lines.
 */
record ProcessMetrics(MetricFamilies families) implements PartMetrics {

    /** Creates the metrics. {@code lostLines} returns the number of lost log lines. */
    ProcessMetrics(IntakeSharedLimits webhook, LongSupplier lostLines) {
        this(new MetricFamilies());
        families.show(MetricName.LOG_LINES_LOST, lostLines::getAsLong);
        families.show(MetricName.CONNECTIONS, () -> webhook.connections().count(), "port", "webhook");
        families.show(MetricName.BODY_MEMORY, () -> webhook.budget().heldBytes());
        for (ClientAbuseCause cause : ClientAbuseCause.values()) {
            families.show(MetricName.ABUSE, () -> webhook.abuse().count(cause), "cause", cause.word());
        }
    }

    @Override
    public String part() {
        return "process";
    }

    /** Does nothing, because each scrape reads the current values. */
    @Override
    public void listen(Vertx vertx) {}
}
