package dev.sluice.cli.doctor;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFacts;

/** Reads the objects that a diagnosis needs. Callers may read repeatedly until they close the source. */
interface DoctorFactsSource extends AutoCloseable {

    ClusterFacts read() throws ClusterStateException;

    @Override
    default void close() {}
}
