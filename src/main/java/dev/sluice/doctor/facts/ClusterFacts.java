package dev.sluice.doctor.facts;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the objects of a cluster that a diagnosis reads, as they were at one point in time.
 *
 * @param name the name of the cluster, which is the context of the kubeconfig; empty if it is not known
 * @param time the time at which the objects were collected, which may be an estimate; null if nothing shows the time
 * @param leases the time when each Lease was last renewed, by the name of the Lease. The Lease of the default scheduler
 *     counts only in {@link #SYSTEM_NAMESPACE}, because tenants may create Leases of any name
 * @param collected the kinds that were collected, including kinds that were listed and have no object
 * @param failures for each kind that could not be listed, the reason as a clause
 * @param unread the objects that could not be read
 * @param webhooks the webhooks that call Sluice
 * @param queued the Workloads of Kueue
 */
public record ClusterFacts(
        String name,
        @Nullable Instant time,
        List<NodeFacts> nodes,
        List<PodFacts> pods,
        List<EventFacts> events,
        List<OwnerFacts> owners,
        List<QuotaFacts> quotas,
        DraFacts dra,
        Map<String, Instant> leases,
        Set<ClusterFactKind> collected,
        Map<ClusterFactKind, String> failures,
        List<UnreadObject> unread,
        List<WebhookFacts> webhooks,
        List<QueuedWorkloadFacts> queued) {

    /** The name of the default scheduler's Lease. */
    public static final String SCHEDULER_LEASE = "kube-scheduler";

    /** The namespace of the control plane, in which tenants create nothing. */
    public static final String SYSTEM_NAMESPACE = "kube-system";

    /**
     * The maximum age of a message, such as an Event, on which a diagnosis relies. An older message may no longer be
     * true.
     */
    private static final Duration FRESH = Duration.ofMinutes(10);

    /**
     * Describes objects that could not be read.
     *
     * @param plural the plural name of the kind, as in the API, for example {@code pods}
     * @param why the reason, as a sentence
     * @param name the name of these objects, for example {@code Pod team/a} or {@code namespace team}; empty if a whole
     *     kind could not be read
     * @param objects the number of these objects; 0 if a whole kind could not be read, so the number is not known
     */
    public record UnreadObject(String plural, String why, String name, long objects) {

        /** Creates the record for a kind of which no object could be read. */
        public UnreadObject(String plural, String why) {
            this(plural, why, /* name= */ "", /* objects= */ 0);
        }

        /** The beginning of {@code why} for a kind without objects in the input files. */
        public static final String NOT_COLLECTED = "No object was collected";

        /** The beginning of {@code why} for a kind that the API server does not serve. */
        public static final String NOT_SERVED = "The API server does not serve them";
    }

    /**
     * Describes one webhook of a MutatingWebhookConfiguration.
     *
     * @param service the Service that the webhook calls, as {@code namespace/name}; empty if the webhook has a URL
     *     instead
     * @param namespaces the namespaceSelector, which selects the namespaces whose pods the API server sends to the
     *     webhook
     * @param trusted the number of certificates in the caBundle; 0 if there is none, or if the caBundle cannot be read
     * @param trustedUntil the time when the last of these certificates expires; null if there is no certificate
     */
    public record WebhookFacts(
            String configuration,
            String name,
            String service,
            String failurePolicy,
            WebhookNamespaceFacts namespaces,
            int trusted,
            @Nullable Instant trustedUntil) {}

    /** Returns a copy of this object whose nodes are replaced by these nodes. */
    public ClusterFacts with(List<NodeFacts> others) {
        return new ClusterFacts(
                name, time, others, pods, events, owners, quotas, dra, leases, collected, failures, unread, webhooks,
                queued);
    }

    public boolean has(ClusterFactKind kind) {
        return collected.contains(kind);
    }

    /**
     * Returns true if a message is recent enough to rely on. A message without a time counts as recent, because nothing
     * shows that the message is old.
     */
    public boolean isFresh(@Nullable Instant said) {
        return said == null || isWithin(said, FRESH);
    }

    /**
     * Returns true if {@code past} is at most {@code limit} before the time of the cluster. Also returns true if the
     * time of the cluster is unknown.
     */
    public boolean isWithin(Instant past, Duration limit) {
        return time == null || !past.isBefore(time.minus(limit));
    }
}
