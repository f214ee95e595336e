package dev.sluice.record;

import dev.sluice.cluster.Pod;
import java.time.Instant;

/**
 * A GPU pod that no gateway decided about.
 *
 * @param fullName {@code namespace/name}
 * @param created the time of its creation by the clock of the API server, in whole seconds
 */
public record BypassedPod(String fullName, BypassCause cause, Instant created) {

    public String namespace() {
        return Pod.namespaceOf(fullName);
    }

    public String name() {
        return fullName.substring(fullName.indexOf('/') + 1);
    }
}
