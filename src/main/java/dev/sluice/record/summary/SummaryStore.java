package dev.sluice.record.summary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.record.DecisionTally;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of all replicas in one ConfigMap, which the manifests create without data. A write fails if the ConfigMap
 * has changed since it was read. The data also contain the number of the newest batch of each process. If a process
 * gets no answer to a write, this number tells it whether the batch was stored. Every method blocks.
 */
final class SummaryStore {

    private static final Logger LOG = LoggerFactory.getLogger(SummaryStore.class);

    /** The name of the ConfigMap. */
    static final String NAME = "gpu-webhook-summary";

    /** The key of the counts in the data of the ConfigMap. */
    static final String KEY = "decisions.json";

    /**
     * The maximum number of attempts to write. An attempt fails if another replica has written since the read. Each
     * replica writes only about once a minute, so a second failure in a row is rare.
     */
    private static final int MOST_WRITES = 4;

    private final ApiServerObjectAccess objects;
    private final String path;
    private final String writer;

    /** The problem of the last read; empty if the counts could be read. The same problem is not logged again. */
    private final AtomicReference<String> logged = new AtomicReference<>("");

    /**
     * Creates a store.
     *
     * @param namespace the namespace of the ConfigMap
     * @param writer identifies this process among all processes that write
     */
    SummaryStore(ApiServerObjectAccess objects, String namespace, String writer) {
        this.objects = objects;
        this.path = "api/v1/namespaces/" + namespace + "/configmaps/" + NAME;
        this.writer = writer;
    }

    /** Returns the sum of the stored counts and of those {@code batches} that are not stored yet. */
    DecisionTally with(List<SummaryBatch> batches) throws IOException {
        StoredCounts stored = read();
        missing(batches, stored).forEach(batch -> batch.counts().forEach(stored.counts()::add));
        return stored.counts();
    }

    /**
     * Adds those batches that are not stored yet. If another replica has written since the read, this method reads and
     * writes again.
     */
    void add(List<SummaryBatch> batches, Instant now) throws IOException {
        for (int writes = 1; ; writes++) {
            try {
                addOnce(batches, now);
                return;
            } catch (ApiFailure failure) {
                if (!failure.isConflict() || writes == MOST_WRITES) {
                    throw failure;
                }
            }
        }
    }

    private void addOnce(List<SummaryBatch> batches, Instant now) throws IOException {
        StoredCounts stored = read();
        List<SummaryBatch> missing = missing(batches, stored);
        if (missing.isEmpty()) {
            return;
        }
        DecisionTally counts = stored.counts();
        missing.forEach(batch -> batch.counts().forEach(counts::add));
        counts.passTime(now);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        // The API server refuses the patch (409) if the ConfigMap no longer has this resourceVersion.
        patch.putObject("metadata").put("resourceVersion", stored.version());
        patch.putObject("data")
                .put(
                        KEY,
                        SummaryCodec.write(
                                counts,
                                stored.writersWith(writer, missing.getLast().number())));
        objects.merge(path, patch);
    }

    private List<SummaryBatch> missing(List<SummaryBatch> batches, StoredCounts stored) {
        long newest = stored.newestOf(writer);
        return batches.stream().filter(batch -> batch.number() > newest).toList();
    }

    private StoredCounts read() throws IOException {
        JsonNode object = objects.object(path);
        String version = object.path("metadata").path("resourceVersion").asText("");
        String text = object.path("data").path(KEY).asText("");
        try {
            StoredCounts stored = SummaryCodec.read(text, version);
            logged.set("");
            return stored;
        } catch (SummaryCodec.OtherVersion kept) {
            // A gateway of another version wrote these counts and can still read them, so they must not be replaced.
            throw kept;
        } catch (IOException unreadable) {
            tell(String.valueOf(unreadable.getMessage()));
            return SummaryCodec.read("", version);
        }
    }

    /** Logs a problem, unless the last read had the same one. */
    private void tell(String problem) {
        if (!problem.equals(logged.getAndSet(problem))) {
            LOG.atWarn()
                    .addKeyValue("configMap", NAME)
                    .addKeyValue("reason", problem)
                    .log("the stored counts of decisions cannot be read; they begin anew");
        }
    }
}
