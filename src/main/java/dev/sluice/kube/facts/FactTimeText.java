package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** A time in the format of RFC 3339. It is parsed only when needed, because most times are never used. */
@JsonDeserialize(using = FactTimeReader.class)
record FactTimeText(@JsonValue String text) {

    /** Returns the parsed time. Returns null if {@code time} is null or not a valid time. */
    @Nullable
    static Instant parsed(@Nullable FactTimeText time) {
        return time == null ? null : time.instant();
    }

    /** Returns the parsed time; null if the text is not a valid time. */
    @Nullable
    Instant instant() {
        try {
            return text.endsWith("Z")
                    ? Instant.parse(text)
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException other) {
            return null;
        }
    }
}
