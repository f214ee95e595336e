package dev.sluice.record.summary;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.record.DecisionTally;
import dev.sluice.record.DecisionTally.BucketCount;
import dev.sluice.record.TalliedChain;
import dev.sluice.record.TalliedOutcome;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the counts of decisions as JSON. A row is a {@link TalliedChain}: it identifies decisions that are
 * counted together. The member {@code rows} lists the rows. The member {@code counts} maps the beginning of each hour
 * or day, in seconds of the Unix epoch, to arrays. Each array contains the number of a row, and then one count for each
 * outcome. Missing counts at the end of an array are 0, because an older gateway knows fewer outcomes. The members may
 * have any order, and unknown members are ignored. If this gateway would lose data by writing the document again,
 * {@link OtherVersion} is thrown.
 */
final class SummaryCodec {

    /** The version of the document. A document that names no version has this version. */
    private static final long VERSION = 1;

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * The maximum number of counts in a document. A gateway writes fewer, even if all rows have a count for each hour
     * and day.
     */
    private static final int MOST_COUNTS = 32_768;

    private static final TalliedOutcome[] OUTCOMES = TalliedOutcome.values();

    private final List<TalliedChain> rows = new ArrayList<>();
    private final List<NumberedCount> numbered = new ArrayList<>();
    private final DecisionTally counts = new DecisionTally();
    private final Map<String, Long> writers = new HashMap<>();
    private int read;

    /** Thrown if a gateway of another version wrote the text, so that this gateway must not replace it. */
    static final class OtherVersion extends IOException {

        private static final long serialVersionUID = 1;

        OtherVersion(String what) {
            super("a gateway of another version wrote the stored counts: " + what);
        }
    }

    /**
     * The counts of one row in one hour or day. Only the number of the row is known, because its text may come later in
     * the document.
     */
    private record NumberedCount(Instant start, long row, Map<TalliedOutcome, Long> counts) {}

    private SummaryCodec() {}

    static String write(DecisionTally counts, Map<String, Long> writers) {
        Map<TalliedChain, Integer> numbers = new LinkedHashMap<>();
        Map<Instant, List<BucketCount>> byStart = new LinkedHashMap<>();
        for (BucketCount count : counts.all()) {
            numbers.putIfAbsent(count.counted(), numbers.size());
            byStart.computeIfAbsent(count.start(), _ -> new ArrayList<>()).add(count);
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeArrayFieldStart("rows");
            for (TalliedChain row : numbers.keySet()) {
                json.writeStartArray();
                json.writeString(row.namespace());
                json.writeString(row.chain());
                json.writeString(row.enforcement().word());
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeObjectFieldStart("counts");
            for (Map.Entry<Instant, List<BucketCount>> bucket : byStart.entrySet()) {
                json.writeArrayFieldStart(Long.toString(bucket.getKey().getEpochSecond()));
                for (BucketCount count : bucket.getValue()) {
                    write(numbers.getOrDefault(count.counted(), 0), count, json);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
            json.writeObjectFieldStart("writers");
            for (Map.Entry<String, Long> writer : writers.entrySet()) {
                json.writeNumberField(writer.getKey(), writer.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text.toString();
    }

    private static void write(int row, BucketCount count, JsonGenerator json) throws IOException {
        json.writeStartArray();
        json.writeNumber(row);
        for (TalliedOutcome outcome : OUTCOMES) {
            json.writeNumber(count.counts().getOrDefault(outcome, 0L));
        }
        json.writeEndArray();
    }

    /**
     * Reads the counts.
     *
     * @param version the resourceVersion of the ConfigMap
     * @throws OtherVersion if a gateway of another version wrote the text
     * @throws IOException if the text does not have the format of {@link #write}
     */
    static StoredCounts read(String text, String version) throws IOException {
        SummaryCodec codec = new SummaryCodec();
        if (!text.isBlank()) {
            try (JsonParser json = JSON.createParser(text)) {
                codec.read(json);
            }
        }
        return new StoredCounts(version, codec.counts, codec.writers);
    }

    private void read(JsonParser json) throws IOException {
        expect(json.nextToken(), JsonToken.START_OBJECT);
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (field) {
                case "version" -> checkVersion(json, value);
                case "rows" -> readRows(json, value);
                case "counts" -> readCounts(json, value);
                case "writers" -> readWriters(json, value);
                default -> json.skipChildren();
            }
        }
        for (NumberedCount count : numbered) {
            if (count.row >= rows.size()) {
                throw new IOException("there is no row " + count.row);
            }
            counts.add(new BucketCount(count.start, rows.get((int) count.row), count.counts));
        }
    }

    private static void checkVersion(JsonParser json, JsonToken value) throws IOException {
        if (value != JsonToken.VALUE_NUMBER_INT || !json.getText().equals(Long.toString(VERSION))) {
            throw new OtherVersion("this gateway does not know their version");
        }
    }

    private static Enforcement enforcement(String word) throws OtherVersion {
        for (Enforcement known : Enforcement.values()) {
            if (known.word().equals(word)) {
                return known;
            }
        }
        throw new OtherVersion("this gateway does not know one of their enforcements");
    }

    private void readRows(JsonParser json, JsonToken value) throws IOException {
        expect(value, JsonToken.START_ARRAY);
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.START_ARRAY);
            String namespace = text(json);
            String chain = text(json);
            String enforcement = text(json);
            expect(json.nextToken(), JsonToken.END_ARRAY);
            rows.add(new TalliedChain(namespace, chain, enforcement(enforcement)));
            countOne();
        }
    }

    private static String text(JsonParser json) throws IOException {
        expect(json.nextToken(), JsonToken.VALUE_STRING);
        return json.getText();
    }

    private void readCounts(JsonParser json, JsonToken value) throws IOException {
        expect(value, JsonToken.START_OBJECT);
        for (String start = json.nextFieldName(); start != null; start = json.nextFieldName()) {
            Instant begun = Instant.ofEpochSecond(seconds(start));
            expect(json.nextToken(), JsonToken.START_ARRAY);
            while (json.nextToken() != JsonToken.END_ARRAY) {
                expect(json.currentToken(), JsonToken.START_ARRAY);
                numbered.add(count(begun, json));
                countOne();
            }
        }
    }

    private static NumberedCount count(Instant start, JsonParser json) throws IOException {
        expect(json.nextToken(), JsonToken.VALUE_NUMBER_INT);
        long row = number(json);
        Map<TalliedOutcome, Long> byOutcome = new EnumMap<>(TalliedOutcome.class);
        for (int at = 0; json.nextToken() != JsonToken.END_ARRAY; at++) {
            long number = number(json);
            if (at >= OUTCOMES.length) {
                throw new OtherVersion("this gateway does not know one of their outcomes");
            }
            if (number > 0) {
                byOutcome.put(OUTCOMES[at], number);
            }
        }
        return new NumberedCount(start, row, byOutcome);
    }

    private static long number(JsonParser json) throws IOException {
        expect(json.currentToken(), JsonToken.VALUE_NUMBER_INT);
        long number = json.getLongValue();
        if (number < 0) {
            throw new IOException("a count is negative");
        }
        return number;
    }

    private static long seconds(String start) throws IOException {
        if (!start.matches("[0-9]{1,11}")) {
            throw new IOException("an hour is not a number of seconds");
        }
        return Long.parseLong(start);
    }

    private void readWriters(JsonParser json, JsonToken value) throws IOException {
        expect(value, JsonToken.START_OBJECT);
        for (String writer = json.nextFieldName(); writer != null; writer = json.nextFieldName()) {
            json.nextToken();
            writers.put(writer, number(json));
            countOne();
        }
    }

    private void countOne() throws IOException {
        if (++read > MOST_COUNTS) {
            throw new IOException("there are more counts than a gateway writes");
        }
    }

    private static void expect(@Nullable JsonToken token, JsonToken expected) throws IOException {
        if (token != expected) {
            throw new IOException("the text is not the counts of a gateway");
        }
    }
}
