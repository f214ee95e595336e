package dev.sluice.cli.doctor;

import dev.sluice.diagnosis.facts.ClusterFacts;
import dev.sluice.event.SourceProblem;

/** Reads the cluster, once or again and again. */
interface FactsSource extends AutoCloseable {

    ClusterFacts read() throws SourceProblem;

    @Override
    default void close() {}
}
