package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;

/**
 * Shows the generation of the policy (the number of times that it was read), and counts configurations that were
 * rejected. It is not thread-safe.
 */
final class PolicyMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private final Counter refused = families.counter(MetricName.POLICY_REFUSED);
    private ActivePolicy policy;
    private long filesRefused;

    PolicyMetrics(ActivePolicy first) {
        policy = first;
        families.show(MetricName.POLICY_GENERATION, () -> policy.generation());
        families.show(MetricName.RESERVING, () -> policy.policies().reserve() ? 1 : 0);
        families.show(MetricName.POLICY_FILES_REFUSED, () -> filesRefused);
    }

    @Override
    public String part() {
        return "policy";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.POLICIES.subscribe(vertx, active -> policy = active);
        Topic.POLICY_REFUSED.subscribe(vertx, _ -> refuse());
        Topic.POLICY_REPAIRED.subscribe(vertx, _ -> filesRefused = 0);
    }

    private void refuse() {
        refused.inc();
        filesRefused = 1;
    }
}
