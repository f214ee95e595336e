package dev.sluice.kube.facts;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFacts;

/** Reads the facts about the whole cluster that a diagnosis needs. */
public interface LiveFactsReader {

    /**
     * Reads the facts. Blocks until all facts are read. If the thread is interrupted, the method ends a short time
     * later.
     */
    ClusterFacts read() throws ClusterStateException;

    /** Returns the processor time, in nanoseconds, that all readings have taken on threads other than the caller's. */
    default long cpuNanos() {
        return 0;
    }
}
