package dev.sluice.election.succession;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A replica that says in the lease that it could decide. It is no part of what the lease says of its holder: that
 * somebody announces himself must not make the holder look alive.
 *
 * @param beat counts on while the replica lives
 */
public record Successor(String identity, Revision revision, int beat) {

    static final String ANNOTATION = "gpu-webhook.k8s.io/successor";

    private static final int PARTS = 4;

    /** Nobody where the annotation is not there or is not ours. */
    static Optional<Successor> in(Lease lease) {
        Map<String, String> annotations =
                Optional.ofNullable(lease.getMetadata().getAnnotations()).orElse(Map.of());
        String[] parts = annotations.getOrDefault(ANNOTATION, "").split(" ", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Successor(
                    parts[0], new Revision(parts[1], Instant.parse(parts[2])), Integer.parseInt(parts[3])));
        } catch (DateTimeException | NumberFormatException foreign) {
            return Optional.empty();
        }
    }

    /** The lease with this in it, and everything else as it was. */
    public Lease announcedIn(Lease lease) {
        return new LeaseBuilder(lease)
                .editMetadata()
                .addToAnnotations(ANNOTATION, identity + " " + revision.name() + " " + revision.since() + " " + beat)
                .endMetadata()
                .build();
    }

    /** Whoever takes the lease begins without one. */
    public static Lease removedFrom(Lease lease) {
        return new LeaseBuilder(lease)
                .editMetadata()
                .removeFromAnnotations(ANNOTATION)
                .endMetadata()
                .build();
    }
}
