package dev.sluice.kube.list;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.Optional;

/** Reads the events of a watch, one JSON object after the other, each as soon as its last byte is there. */
public final class WatchEventDecoder<T> {

    private final ObjectDecoder<T> decoder;

    public WatchEventDecoder(ObjectDecoder<T> decoder) {
        this.decoder = decoder;
    }

    /**
     * The next event, or empty when the stream ended between two.
     *
     * @throws IOException when it ended within one, or is no JSON
     */
    public Optional<WatchEvent<T>> next(JsonParser parser) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return Optional.empty();
        }
        if (first != JsonToken.START_OBJECT) {
            throw new IOException("a watch event is no JSON object");
        }
        EventFields fields = new EventFields(parser);
        fields.cursor.object("event", fields::field);
        return Optional.of(fields.event);
    }

    private final class EventFields {
        private final JsonParser parser;
        private final JsonCursor cursor;
        private String type = "";
        private WatchEvent<T> event = new WatchEvent.UnknownEvent<>("a watch event without an object");

        EventFields(JsonParser parser) {
            this.parser = parser;
            this.cursor = new JsonCursor(parser);
        }

        void field(String field) throws IOException {
            switch (field) {
                case "type" -> type = cursor.textOrEmpty(field);
                case "object" -> event = object();
                default -> cursor.skip();
            }
        }

        /** The API server writes the type first, so it is known how to read the object. */
        private WatchEvent<T> object() throws IOException {
            return switch (type) {
                case "ADDED", "MODIFIED" -> seen(decoder.decode(parser));
                case "DELETED" -> new WatchEvent.Deleted<>(ObjectMeta.read(parser));
                case "BOOKMARK" ->
                    new WatchEvent.Bookmark<>(ObjectMeta.read(parser).resourceVersion());
                case "ERROR" -> new WatchEvent.WatchError<>(ApiStatus.read(parser));
                default -> unknown();
            };
        }

        private WatchEvent<T> seen(DecodeResult<T> decoded) {
            return switch (decoded) {
                case DecodeResult.Found<T> found -> new WatchEvent.AddedOrModified<>(found.value());
                case DecodeResult.Ended<T> ended -> new WatchEvent.Deleted<>(ended.object());
                case DecodeResult.OtherKind<T> other ->
                    new WatchEvent.UnknownEvent<>("a watch event of another kind, " + other.kind());
                case DecodeResult.Malformed<T> malformed ->
                    new WatchEvent.MalformedEvent<>(malformed.object(), malformed.problem());
            };
        }

        private WatchEvent<T> unknown() throws IOException {
            cursor.skip();
            return new WatchEvent.UnknownEvent<>("a watch event of unknown type '" + type + "'");
        }
    }
}
