package dev.sluice.cli.doctor;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.kube.facts.FactsFileWriter;
import dev.sluice.kube.facts.LiveFactLists;
import dev.sluice.kube.facts.LiveFacts;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects from the live cluster.
 *
 * @param collect the file to which the objects are written; null if they are not written
 */
record DoctorLiveSource(
        LiveFactLists cluster,
        DoctorProgressLine line,
        @Nullable Path collect) implements DoctorFactsSource {

    @Override
    public ClusterFacts read() throws ClusterStateException {
        try {
            LiveFacts live = cluster.read(line, collect != null);
            if (collect != null) {
                FactsFileWriter.write(collect, live);
            }
            return live.facts();
        } finally {
            line.clear();
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
