package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.util.JsonParserSequence;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.sluice.doctor.facts.FactKind;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of lists one by one, each into the record of its kind. An object that cannot be
 * read is skipped to its end, so that the next one is read as if it were not there. Has one owner.
 */
final class ItemReader {

    /** What an object of a list turned out to be. */
    sealed interface ReadItem {

        record KnownItem(FactKind kind, ClusterItem item) implements ReadItem {}

        /** An object of a known kind that is malformed. The sentence names it, and the field. */
        record UnreadItem(FactKind kind, String what) implements ReadItem {}

        /** An object of a kind that nobody needs. */
        record OtherItem() implements ReadItem {}

        /** Neither the object nor the list has named its kind so far. */
        record KindlessItem(String name) implements ReadItem {}
    }

    private static final String METADATA = "metadata";

    private final NewestTime newest;
    private final ObjectReader metadata;
    private final Map<FactKind, ObjectReader> records = new EnumMap<>(FactKind.class);

    /** @param newest sees the times of all objects, also of those that nobody needs */
    ItemReader(NewestTime newest) {
        this.newest = newest;
        this.metadata = reader(ItemMeta.class);
    }

    private ObjectReader reader(Class<?> type) {
        return ItemJson.MAPPER.readerFor(type).withAttribute(NewestTime.class, newest);
    }

    /**
     * Reads the object that begins at the current token; afterwards the parser stands on its last.
     *
     * @param kind of an object that does not name it; empty where that is unknown
     */
    ReadItem read(JsonParser parser, String kind, String apiVersion) throws IOException {
        JsonStreamContext list = parser.getParsingContext().getParent();
        Item item = new Item(parser, kind, apiVersion);
        try {
            return item.read();
        } catch (MeteredParser.TooLarge large) {
            return item.skipped(list, String.valueOf(large.getMessage()));
        } catch (JsonMappingException mismatch) {
            if (isOfTheStream(mismatch.getCause())) {
                throw (JacksonException) mismatch.getCause();
            }
            return item.skipped(list, MalformedItem.sentence(mismatch, item.isInMetadata ? METADATA : ""));
        }
    }

    /** The text itself is broken, and not only the value of a field. */
    private static boolean isOfTheStream(@Nullable Throwable cause) {
        return cause instanceof JacksonException
                && !(cause instanceof JsonMappingException)
                && !(cause instanceof InputCoercionException);
    }

    private static Class<? extends ClusterItem> type(FactKind kind) {
        return switch (kind) {
            case NODES -> NodeItem.class;
            case PODS -> PodItem.class;
            case EVENTS -> EventItem.class;
            case RESOURCE_QUOTAS -> QuotaItem.class;
            case REPLICA_SETS, JOBS, STATEFUL_SETS, DAEMON_SETS -> WorkloadItem.class;
            case PRIORITY_CLASSES -> PriorityClassItem.class;
            case DEVICE_CLASSES -> DeviceClassItem.class;
            case RESOURCE_CLAIMS -> ClaimItem.class;
            case RESOURCE_SLICES -> SliceItem.class;
            case LEASES -> LeaseItem.class;
            case MUTATING_WEBHOOKS -> WebhooksItem.class;
        };
    }

    /** One object while it is read. */
    private final class Item {

        private final JsonParser parser;
        private final MeteredParser metered;
        private String kind;
        private String apiVersion;
        private @Nullable ItemMeta meta;
        private boolean isInMetadata;
        /** The name of an object whose metadata cannot be read. */
        private String name = "";
        private String namespace = "";

        Item(JsonParser parser, String kind, String apiVersion) {
            this.parser = parser;
            this.metered = new MeteredParser(parser);
            this.kind = kind;
            this.apiVersion = apiVersion;
        }

        /**
         * Kubectl writes kind and apiVersion first. What comes before them is held, as its meaning is not known yet.
         */
        ReadItem read() throws IOException {
            try (TokenBuffer before = new TokenBuffer(ItemJson.MAPPER, /* hasNativeIds= */ false)) {
                before.writeStartObject();
                before.writeStringField("kind", kind);
                before.writeStringField("apiVersion", apiVersion);
                String field = metered.nextFieldName();
                while (field != null) {
                    JsonToken token = metered.nextToken();
                    if (field.equals(METADATA) && token == JsonToken.START_OBJECT) {
                        before.writeFieldName(field);
                        before.writeEmbeddedObject(metadata());
                    } else if (token.isStructStart() && isOther()) {
                        metered.skipChildren();
                    } else if (token.isStructStart() && !kind.isEmpty()) {
                        before.writeFieldName(field);
                        return known(before);
                    } else {
                        header(field, token);
                        before.writeFieldName(field);
                        before.copyCurrentStructure(metered);
                    }
                    field = metered.nextFieldName();
                }
                before.writeEndObject();
                return kind.isEmpty() ? new ReadItem.KindlessItem(fullName()) : known(before);
            }
        }

        private void header(String field, JsonToken token) throws IOException {
            if (token == JsonToken.VALUE_STRING && field.equals("kind")) {
                kind = parser.getText();
            } else if (token == JsonToken.VALUE_STRING && field.equals("apiVersion")) {
                apiVersion = parser.getText();
            }
        }

        private Optional<FactKind> factKind() {
            return FactKind.of(kind, apiVersion);
        }

        private boolean isOther() {
            return !kind.isEmpty() && factKind().isEmpty();
        }

        private ItemMeta metadata() throws IOException {
            isInMetadata = true;
            ItemMeta read = metadata.readValue(metered);
            isInMetadata = false;
            meta = read;
            return read;
        }

        private ReadItem known(TokenBuffer before) throws IOException {
            Optional<FactKind> known = factKind();
            if (known.isEmpty()) {
                return new ReadItem.OtherItem();
            }
            ObjectReader record = records.computeIfAbsent(known.get(), factKind -> reader(type(factKind)));
            JsonParser both = JsonParserSequence.createFlattened(
                    /* checkForExistingToken= */ true, before.asParser(), metered);
            return new ReadItem.KnownItem(known.get(), record.readValue(both));
        }

        /** Goes to the end of the object, and looks for its name on the way if that is not known. */
        ReadItem skipped(JsonStreamContext list, String problem) throws IOException {
            for (JsonStreamContext at = parser.getParsingContext(); at != list; at = parser.getParsingContext()) {
                JsonToken token = parser.currentToken();
                if (token == JsonToken.VALUE_STRING && at.getParent() == list) {
                    header(String.valueOf(at.getCurrentName()), token);
                } else if (token == JsonToken.VALUE_STRING && isOfMetadata(at, list)) {
                    name(String.valueOf(at.getCurrentName()));
                }
                parser.nextToken();
            }
            return factKind()
                    .<ReadItem>map(known -> new ReadItem.UnreadItem(known, MalformedItem.title(kind, fullName(), problem)))
                    .orElseGet(() -> kind.isEmpty() ? new ReadItem.KindlessItem(fullName()) : new ReadItem.OtherItem());
        }

        private static boolean isOfMetadata(JsonStreamContext at, JsonStreamContext list) {
            JsonStreamContext around = at.getParent();
            return around != null && around.getParent() == list && METADATA.equals(around.getCurrentName());
        }

        private void name(String field) throws IOException {
            if (field.equals("name")) {
                name = parser.getText();
            } else if (field.equals("namespace")) {
                namespace = parser.getText();
            }
        }

        private String fullName() {
            return meta != null ? meta.fullName() : namespace.isEmpty() ? name : namespace + "/" + name;
        }
    }
}
