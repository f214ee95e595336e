package dev.sluice.election.succession;

import java.time.Instant;

/**
 * Which pod template a process was started from.
 *
 * @param name the hash that the Deployment gives the template
 * @param since when the process's pod was created, by the API server's clock, which is the same for all
 */
public record Revision(String name, Instant since) {

    /** Of two templates the one is newer whose pod was created later: a rollback creates pods of an old template. */
    boolean isNewerThan(Revision other) {
        if (name.equals(other.name)) {
            return false;
        }
        // Kubernetes keeps seconds. Any order does for pods of the same one, as long as it is the same everywhere.
        return since.equals(other.since) ? name.compareTo(other.name) > 0 : since.isAfter(other.since);
    }
}
