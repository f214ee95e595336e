package dev.sluice.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.record.BypassReport;
import dev.sluice.record.BypassReport.BypassKey;
import dev.sluice.record.BypassedPod;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;

/** Keeps the newest report on bypassed pods and writes it. Has one owner. */
public final class BypassApi {

    private static final Comparator<BypassKey> ORDER =
            Comparator.comparing(BypassKey::namespace).thenComparing(BypassKey::cause);

    private BypassReport newest = BypassReport.NONE;

    public void keep(BypassReport report) {
        newest = report;
    }

    public ApiAnswer answer() {
        return ApiAnswer.of(JsonText.of(this::write));
    }

    /** Not before the moment itself, before which some pods were not compared. */
    private static Instant wholeSecond(Instant moment) {
        return moment.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(
                "completeSince",
                newest.completeSince()
                        .map(since -> wholeSecond(since).toString())
                        .orElse(null));
        json.writeArrayFieldStart("counts");
        for (Map.Entry<BypassKey, Long> count : newest.counts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(ORDER))
                .toList()) {
            json.writeStartObject();
            json.writeStringField("namespace", count.getKey().namespace());
            json.writeStringField("cause", count.getKey().cause().word());
            json.writeNumberField("pods", count.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
        pods(json);
        json.writeEndObject();
    }

    private void pods(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("pods");
        for (BypassedPod pod : newest.newest()) {
            json.writeStartObject();
            json.writeStringField("namespace", pod.namespace());
            json.writeStringField("name", pod.name());
            json.writeStringField("cause", pod.cause().word());
            json.writeStringField("created", pod.created().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
