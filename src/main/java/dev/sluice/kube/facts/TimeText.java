package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** A time as RFC 3339 writes it. It is parsed only where it is needed, which is seldom. */
@JsonDeserialize(using = TimeReader.class)
record TimeText(@JsonValue String text) {

    /** Null where there is no text, or where it is not a time. */
    @Nullable
    static Instant parsed(@Nullable TimeText time) {
        return time == null ? null : time.instant();
    }

    /** Null where the text is not a time. */
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
