package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.FactKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What a file that Sluice wrote says beside its items.
 *
 * @param listed the kinds that were listed, though they may have no object, in the plural
 * @param failed why others were not, by their plurals
 */
record ListNotes(List<String> listed, Map<String, String> failed) {

    /** The field of the List. */
    static final String FIELD = "sluice";

    private static final ObjectReader READER = ItemJson.MAPPER.readerFor(ListNotes.class);

    /** Reads the notes that begin at the current token. The messages of problems follow the name of the file. */
    static ListNotes read(JsonParser parser) throws IOException, SourceProblem {
        int line = parser.currentTokenLocation().getLineNr();
        try {
            return READER.readValue(new MeteredParser(parser));
        } catch (MeteredParser.OversizedItem oversized) {
            throw new SourceProblem(", line " + line + ": " + FIELD + ": " + oversized.getMessage(), oversized);
        } catch (JsonMappingException mismatch) {
            throw new SourceProblem(", line " + line + ": " + ItemReader.problem(mismatch, FIELD), mismatch);
        }
    }

    void tell(FactsCollector collector) {
        listed.forEach(plural -> FactKind.ofPlural(plural).ifPresent(collector::listed));
        failed.forEach((plural, why) -> FactKind.ofPlural(plural).ifPresent(kind -> collector.failed(kind, why)));
    }
}
