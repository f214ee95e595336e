package dev.sluice.election.succession;

import java.time.Instant;

/**
 * The revision of a Deployment to which a pod belongs.
 *
 * @param name the {@code pod-template-hash}
 * @param since the creation of the pod by the clock of the API server
 */
public record Revision(String name, Instant since) {

    /** The revision whose pod was created later is newer: a rollback creates pods of an old template. */
    boolean isNewerThan(Revision other) {
        if (name.equals(other.name)) {
            return false;
        }
        // Kubernetes stores seconds. Within one second, every process must only choose the same order.
        return since.equals(other.since) ? name.compareTo(other.name) > 0 : since.isAfter(other.since);
    }
}
