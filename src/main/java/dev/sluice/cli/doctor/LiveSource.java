package dev.sluice.cli.doctor;

import dev.sluice.cluster.event.SourceProblem;
import dev.sluice.diagnosis.facts.ClusterFacts;
import dev.sluice.diagnosis.file.CollectedFile;
import dev.sluice.diagnosis.live.ClusterLists;
import dev.sluice.diagnosis.live.LiveFacts;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The live cluster.
 *
 * @param collect where to write what was read, or null
 */
record LiveSource(
        ClusterLists cluster, ListingLine line, @Nullable Path collect) implements FactsSource {

    @Override
    public ClusterFacts read() throws SourceProblem {
        try {
            LiveFacts live = cluster.read(line);
            if (collect != null) {
                CollectedFile.write(collect, live.items(), live.facts().failures());
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
