package dev.sluice.doctor.facts;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster at one moment.
 *
 * @param time the newest time in any object; null without any
 * @param leases when each lease was renewed last, by its name
 * @param collected the kinds of which there was an object, or which were listed and have none
 * @param failures why kinds could not be listed, in a clause
 * @param unread objects that could not be read
 * @param webhooks those that ask Sluice
 */
public record ClusterFacts(
        @Nullable Instant time,
        List<NodeFacts> nodes,
        List<PodFacts> pods,
        List<EventFacts> events,
        List<OwnerFacts> owners,
        List<QuotaFacts> quotas,
        DraFacts dra,
        Map<String, Instant> leases,
        Set<FactKind> collected,
        Map<FactKind, String> failures,
        List<UnreadObject> unread,
        List<WebhookFacts> webhooks) {

    /** The age up to which a message counts as fresh. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    /** An object that was skipped, and why, in a sentence. */
    public record UnreadObject(String plural, String why) {

        /** Why a kind is not known of which the files have no object. */
        public static final String NOT_COLLECTED = "No object was collected";

        /** Why a kind is not known that the cluster does not have. */
        public static final String NOT_SERVED = "The API server does not serve them";
    }

    /**
     * A webhook of a MutatingWebhookConfiguration.
     *
     * @param service of the gateway, as {@code namespace/name}; empty for one with a URL
     * @param trusted how many certificates the caBundle holds; 0 also for one that cannot be read
     * @param trustedUntil when the last of them expires; null without any
     */
    public record WebhookFacts(
            String configuration,
            String name,
            String service,
            String failurePolicy,
            int trusted,
            @Nullable Instant trustedUntil) {}

    /** The same with these nodes, which were read elsewhere. */
    public ClusterFacts with(List<NodeFacts> others) {
        return new ClusterFacts(
                time, others, pods, events, owners, quotas, dra, leases, collected, failures, unread, webhooks);
    }

    public boolean has(FactKind kind) {
        return collected.contains(kind);
    }

    /** A message without a time is believed: nothing shows that it is old. */
    public boolean isFresh(@Nullable Instant said) {
        return said == null || isWithin(said, FRESH);
    }

    /** True for a time that is no longer ago than this. */
    public boolean isWithin(Instant past, Duration limit) {
        return time == null || !past.isBefore(time.minus(limit));
    }
}
