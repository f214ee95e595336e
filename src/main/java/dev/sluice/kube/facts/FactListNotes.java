package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFactKind;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notes that Sluice adds to a List when it writes collected objects to a file.
 *
 * @param cluster the name of the cluster; empty if it is not known
 * @param listed the plural names of the kinds that were listed, including kinds without objects
 * @param failed the reason for each kind that could not be listed, by the plural name of the kind
 * @param collected the time of the API server when the kinds were listed; null if it is not known
 */
record FactListNotes(
        String cluster,
        List<String> listed,
        Map<String, String> failed,
        @Nullable FactTimeText collected) {

    /** The name of the field of the List that contains the notes. */
    static final String FIELD = "sluice";

    private static final ObjectReader READER = ItemJson.MAPPER.readerFor(FactListNotes.class);

    /**
     * Reads the notes that begin at the current token. The message of a {@code ClusterStateException} continues a
     * sentence that begins with the name of the file.
     */
    static FactListNotes read(JsonParser parser) throws IOException, ClusterStateException {
        int line = parser.currentTokenLocation().getLineNr();
        try {
            return READER.readValue(new MeteredFactParser(parser));
        } catch (MeteredFactParser.OversizedItem oversized) {
            throw new ClusterStateException(", line " + line + ": " + FIELD + ": " + oversized.getMessage(), oversized);
        } catch (JsonMappingException mismatch) {
            throw new ClusterStateException(", line " + line + ": " + ItemReader.problem(mismatch, FIELD), mismatch);
        }
    }

    void tell(FactsCollector collector) {
        collector.named(cluster);
        Instant time = FactTimeText.parsed(collected);
        if (time != null) {
            collector.collectedAt(time);
        }
        listed.forEach(plural -> ClusterFactKind.ofPlural(plural).ifPresent(collector::listed));
        failed.forEach(
                (plural, why) -> ClusterFactKind.ofPlural(plural).ifPresent(kind -> collector.failed(kind, why)));
    }
}
