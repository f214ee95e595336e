package dev.sluice.kube.facts;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;

/** Reads the whole cluster as a diagnosis needs it. */
public interface ClusterReading {

    /** Blocks while it reads, and ends soon after its thread is interrupted. */
    ClusterFacts read() throws SourceProblem;
}
