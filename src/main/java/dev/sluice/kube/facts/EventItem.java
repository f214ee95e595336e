package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.text.ShortText;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An Event with the fields of {@code v1} or of {@code events.k8s.io}. The two APIs have different names for the same
 * fields.
 */
record EventItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        @Nullable RegardingItem involvedObject,
        @Nullable RegardingItem regarding,
        String reason,

        @JsonSetter(nulls = Nulls.SET) @JsonDeserialize(using = FactMessageReader.class) @Nullable
        String message,

        @JsonDeserialize(using = FactMessageReader.class) String note,
        @Nullable SeriesItem series,
        @Nullable FactTimeText lastTimestamp,
        @Nullable FactTimeText deprecatedLastTimestamp,
        @Nullable FactTimeText eventTime,
        @Nullable FactTimeText firstTimestamp,
        @Nullable FactTimeText deprecatedFirstTimestamp,
        String reportingComponent,
        String reportingController,
        @Nullable SourceItem source,
        @Nullable SourceItem deprecatedSource,
        @Nullable Long count,
        @Nullable Long deprecatedCount)
        implements ClusterItem {

    /**
     * The maximum length of a name or reason. No object of a cluster has a longer name, but nothing limits the fields
     * of an Event.
     */
    private static final int LONGEST_WORD = 300;

    EventItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record RegardingItem(String apiVersion, String kind, String namespace, String name, String uid) {}

    record SeriesItem(
            @Nullable FactTimeText lastObservedTime,
            @Nullable Long count) {}

    record SourceItem(String component) {}

    EventFacts facts() {
        RegardingItem about = about();
        return new EventFacts(
                word(about.apiVersion()),
                word(about.kind()),
                about.namespace().isEmpty() ? metadata.namespace() : word(about.namespace()),
                word(about.name()),
                word(about.uid()),
                word(reason),
                message == null ? note : message,
                time(),
                word(component()),
                timesSeen());
    }

    private static String word(String text) {
        return ShortText.of(text, LONGEST_WORD);
    }

    private long timesSeen() {
        return Stream.of(count, deprecatedCount, series == null ? null : series.count())
                .filter(Objects::nonNull)
                .reduce(1L, Math::max);
    }

    private RegardingItem about() {
        RegardingItem about = involvedObject == null ? regarding : involvedObject;
        return about == null ? new RegardingItem("", "", "", "", "") : about;
    }

    @Nullable
    private Instant time() {
        return Stream.of(
                        series == null ? null : series.lastObservedTime(),
                        lastTimestamp,
                        deprecatedLastTimestamp,
                        eventTime,
                        firstTimestamp,
                        deprecatedFirstTimestamp)
                .map(FactTimeText::parsed)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private String component() {
        return Stream.of(reportingComponent, reportingController, component(source), component(deprecatedSource))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String component(@Nullable SourceItem source) {
        return source == null ? "" : source.component();
    }
}
