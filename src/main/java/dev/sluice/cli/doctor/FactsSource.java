package dev.sluice.cli.doctor;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;

/** Reads the cluster, once or again and again. */
interface FactsSource extends AutoCloseable {

    ClusterFacts read() throws SourceProblem;

    @Override
    default void close() {}
}
