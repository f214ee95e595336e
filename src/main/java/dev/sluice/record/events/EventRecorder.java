package dev.sluice.record.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes Events of {@code events.k8s.io/v1}. For each object and cause, one Event is created, and repetitions are
 * counted in the series of that Event. A series is written at most once every {@link #BETWEEN_WRITES}. Only one thread
 * may use it.
 */
final class EventRecorder {

    /**
     * The maximum number of series that are remembered. If a series was forgotten, the next occurrence of its cause
     * creates a new Event.
     */
    private static final int MOST_SERIES = 4_096;

    static final Duration BETWEEN_WRITES = Duration.ofSeconds(30);

    private static final String CONTROLLER = "gpu-webhook";

    /**
     * The maximum length of the part of an Event's name that comes from the object. A dot and 16 hexadecimal digits
     * follow it.
     */
    private static final int LONGEST_PREFIX = 253 - 17;

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ApiServerObjectAccess objects;
    private final InstantSource clock;
    private final String instance;
    private final KubernetesEventMetrics metrics;

    private final Map<SeriesKey, EventSeries> series = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SeriesKey, EventSeries> eldest) {
            return size() > MOST_SERIES;
        }
    };

    private record SeriesKey(String uid, String cause) {}

    private static final class EventSeries {
        private final EventTarget target;
        private final String path;
        private KubernetesEventContent announcement;
        private long count = 1;
        private long written = 1;
        private Instant last;
        private Instant writtenAt;

        EventSeries(EventTarget target, String path, KubernetesEventContent first, Instant now) {
            this.target = target;
            this.path = path;
            this.announcement = first;
            this.last = now;
            this.writtenAt = now;
        }
    }

    /**
     * Creates a recorder.
     *
     * @param instance the name of the gateway's pod
     */
    EventRecorder(ApiServerObjectAccess objects, InstantSource clock, String instance, KubernetesEventMetrics metrics) {
        this.objects = objects;
        this.clock = clock;
        this.instance = instance;
        this.metrics = metrics;
    }

    /** Creates an Event, or counts it in the series of an earlier Event about the object with the same cause. */
    void record(EventTarget target, KubernetesEventContent announcement) throws IOException {
        SeriesKey key = new SeriesKey(target.uid(), announcement.cause());
        EventSeries known = series.get(key);
        if (known == null) {
            create(key, target, announcement);
        } else {
            known.count++;
            known.announcement = announcement;
            known.last = clock.instant();
            metrics.count(KubernetesEventMetrics.Result.REPEATED);
        }
    }

    private void create(SeriesKey key, EventTarget target, KubernetesEventContent announcement) throws IOException {
        Instant now = clock.instant();
        String collection = "apis/events.k8s.io/v1/namespaces/" + target.namespace() + "/events";
        ObjectNode event = event(target, announcement, now);
        objects.create(collection, event);
        String path = collection + "/" + event.path("metadata").path("name").asText();
        series.put(key, new EventSeries(target, path, announcement, now));
        metrics.count(KubernetesEventMetrics.Result.CREATED);
    }

    /** Writes the series that have grown, each at most once every {@link #BETWEEN_WRITES}. */
    void writeSeries() throws IOException {
        Instant now = clock.instant();
        for (SeriesKey key : List.copyOf(series.keySet())) {
            EventSeries one = series.get(key);
            if (one != null && one.count > one.written && !now.isBefore(one.writtenAt.plus(BETWEEN_WRITES))) {
                write(key, one, now);
            }
        }
    }

    /**
     * Writes a series. Its Event usually expires after an hour. If the Event no longer exists, this method creates it
     * again; client-go does the same.
     */
    private void write(SeriesKey key, EventSeries one, Instant now) throws IOException {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("series").put("count", one.count).put("lastObservedTime", MICROS.format(one.last));
        one.writtenAt = now;
        try {
            objects.merge(one.path, patch);
            one.written = one.count;
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
            series.remove(key);
            createAgain(key, one);
        }
    }

    /**
     * Creates an Event again. If the gateway has no right to create Events, throws the failure, so that no other series
     * is written. Counts any other failure, because it may concern this object alone, for example if its namespace was
     * deleted.
     */
    private void createAgain(SeriesKey key, EventSeries one) throws IOException {
        try {
            create(key, one.target, one.announcement);
        } catch (ApiFailure failure) {
            if (failure.lacksRight()) {
                throw failure;
            }
            metrics.count(KubernetesEventMetrics.Result.FAILED);
        }
    }

    private ObjectNode event(EventTarget target, KubernetesEventContent announcement, Instant now) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
        event.putObject("metadata").put("name", name(target, now)).put("namespace", target.namespace());
        event.put("eventTime", MICROS.format(now));
        event.put("reportingController", CONTROLLER).put("reportingInstance", instance);
        event.put("type", announcement.severity().word())
                .put("action", announcement.action())
                .put("reason", announcement.reason())
                .put("note", announcement.note());
        event.set("regarding", regarding(target));
        return event;
    }

    private static JsonNode regarding(EventTarget target) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", target.apiVersion())
                .put("kind", target.kind())
                .put("namespace", target.namespace())
                .put("name", target.name())
                .put("uid", target.uid());
    }

    /**
     * Returns a unique name. It consists of the name of the object, and of a number that is made from the time and the
     * name of this replica. The number is unique, because a replica creates only one Event at a time.
     */
    private String name(EventTarget target, Instant now) {
        long unique = now.getEpochSecond() * 1_000_000_000L + now.getNano() ^ (long) instance.hashCode() << 32;
        return target.name().substring(0, Math.min(LONGEST_PREFIX, target.name().length())) + "."
                + Long.toHexString(unique);
    }
}
