package dev.sluice.kube.facts;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;

/** Reads the facts about the whole cluster that a diagnosis needs. */
public interface LiveFactsReader {

    /** Blocks while it reads. It ends soon after its thread is interrupted. */
    ClusterFacts read() throws SourceProblem;

    /** Returns the processor time that all readings have taken on other threads than that of the caller. */
    default long cpuNanos() {
        return 0;
    }
}
