package dev.sluice.cli.doctor;

import dev.sluice.cluster.event.SourceProblem;
import dev.sluice.diagnosis.facts.ClusterFacts;

/** Reads the cluster, once or again and again. */
interface FactsSource extends AutoCloseable {

    ClusterFacts read() throws SourceProblem;

    @Override
    default void close() {}
}
