package dev.sluice.cli.doctor;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;

/** Reads the objects that a diagnosis needs. Callers may read repeatedly until they close the source. */
interface DoctorFactsSource extends AutoCloseable {

    ClusterFacts read() throws SourceProblem;

    @Override
    default void close() {}
}
