package dev.sluice.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A replica that announces in an annotation of the Lease that it could make decisions. The announcement is not in the
 * spec, because a change of the spec would look like a renewal by the holder.
 *
 * @param heartbeat a number that increases while the replica runs
 */
record LeaseCandidate(String identity, Revision revision, int heartbeat) {

    static final String ANNOTATION = "gpu-webhook.k8s.io/successor";

    private static final int PARTS = 4;

    /** Returns the candidate that the lease announces; empty if the annotation is missing or has another form. */
    static Optional<LeaseCandidate> in(Lease lease) {
        Map<String, String> annotations =
                Optional.ofNullable(lease.getMetadata().getAnnotations()).orElse(Map.of());
        String[] parts = annotations.getOrDefault(ANNOTATION, "").split(" ", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new LeaseCandidate(
                    parts[0], new Revision(parts[1], Instant.parse(parts[2])), Integer.parseInt(parts[3])));
        } catch (DateTimeException | NumberFormatException foreign) {
            return Optional.empty();
        }
    }

    public Lease announcedIn(Lease lease) {
        return new LeaseBuilder(lease)
                .editMetadata()
                .addToAnnotations(
                        ANNOTATION, identity + " " + revision.name() + " " + revision.since() + " " + heartbeat)
                .endMetadata()
                .build();
    }

    /** Returns the Lease without an announcement, as a new holder writes it. */
    public static Lease removedFrom(Lease lease) {
        return new LeaseBuilder(lease)
                .editMetadata()
                .removeFromAnnotations(ANNOTATION)
                .endMetadata()
                .build();
    }

    /**
     * The revision of a Deployment to which a pod belongs.
     *
     * @param name the {@code pod-template-hash} label
     * @param since the creation time of the pod by the clock of the API server
     */
    public record Revision(String name, Instant since) {

        /**
         * Returns true if this revision's pod was created later. The creation time of the pod is compared, because a
         * rollback creates pods of an old template.
         */
        boolean isNewerThan(Revision other) {
            if (name.equals(other.name)) {
                return false;
            }
            // Kubernetes stores creation times in whole seconds. If two are equal, the names are compared, so that
            // every process gets the same order.
            return since.equals(other.since) ? name.compareTo(other.name) > 0 : since.isAfter(other.since);
        }
    }
}
