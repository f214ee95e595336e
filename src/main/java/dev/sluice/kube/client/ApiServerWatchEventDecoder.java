package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.decode.ObjectMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decodes the events of a watch. Each event is decoded as soon as its last byte has arrived. */
public record ApiServerWatchEventDecoder<T>(ObjectDecoder<T> decoder) {

    /**
     * Returns the next event, or empty if the stream ended between two events.
     *
     * @throws IOException if the stream ended within an event, or is not JSON
     */
    public Optional<ApiServerWatchEvent<T>> next(JsonParser parser) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return Optional.empty();
        }
        if (first != JsonToken.START_OBJECT) {
            throw new IOException("a watch event is no JSON object");
        }
        JsonCursor cursor = new JsonCursor(parser);
        String[] type = {""};
        List<ApiServerWatchEvent<T>> events = new ArrayList<>();
        cursor.object("event", field -> {
            switch (field) {
                case "type" -> type[0] = cursor.textOrEmpty(field);
                case "object" -> {
                    events.clear();
                    events.add(object(type[0], parser));
                }
                default -> cursor.skip();
            }
        });
        return Optional.of(
                events.isEmpty()
                        ? new ApiServerWatchEvent.UnknownEvent<>("a watch event without an object")
                        : events.getLast());
    }

    /**
     * Decodes the object of an event. The API server writes the type of an event before its object, so the type is
     * known here.
     */
    private ApiServerWatchEvent<T> object(String type, JsonParser parser) throws IOException {
        return switch (type) {
            case "ADDED", "MODIFIED" -> addedOrModified(decoder.decode(parser));
            case "DELETED" -> new ApiServerWatchEvent.Deleted<>(ObjectMeta.read(parser));
            case "BOOKMARK" ->
                new ApiServerWatchEvent.Bookmark<>(ObjectMeta.read(parser).resourceVersion());
            case "ERROR" -> new ApiServerWatchEvent.WatchError<>(ApiStatus.read(parser));
            default -> {
                parser.skipChildren();
                yield new ApiServerWatchEvent.UnknownEvent<>("a watch event of unknown type '" + type + "'");
            }
        };
    }

    private static <T> ApiServerWatchEvent<T> addedOrModified(ObjectDecodeResult<T> decoded) {
        return switch (decoded) {
            case ObjectDecodeResult.Found<T> found -> new ApiServerWatchEvent.AddedOrModified<>(found.value());
            case ObjectDecodeResult.Ended<T> ended -> new ApiServerWatchEvent.Deleted<>(ended.object());
            case ObjectDecodeResult.OtherKind<T> other ->
                new ApiServerWatchEvent.UnknownEvent<>("a watch event of another kind, " + other.kind());
            case ObjectDecodeResult.Malformed<T> malformed ->
                new ApiServerWatchEvent.MalformedEvent<>(malformed.object(), malformed.problem());
        };
    }
}
