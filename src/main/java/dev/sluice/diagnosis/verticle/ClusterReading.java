package dev.sluice.diagnosis.verticle;

import dev.sluice.cluster.event.SourceProblem;
import dev.sluice.diagnosis.facts.ClusterFacts;

/** Reads the whole cluster as a diagnosis needs it. */
public interface ClusterReading {

    /** Blocks while it reads, and ends soon after its thread is interrupted. */
    ClusterFacts read() throws SourceProblem;
}
