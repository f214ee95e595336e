package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.kube.facts.MeteredFactParser.OversizedItem;
import java.io.EOFException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the objects of lists one after another, each into the record of its kind. An object that cannot be read is
 * skipped to its end, so that the next one can be read. This class is not thread-safe.
 */
final class ItemReader {

    /** The result of reading one object. */
    sealed interface ReadItem {

        record KnownItem(ClusterFactKind kind, ClusterItem item) implements ReadItem {}

        /**
         * A malformed object of a known kind.
         *
         * @param name the kind and the name of the object
         * @param why a clause that names the field
         */
        record UnreadItem(ClusterFactKind kind, String name, String why) implements ReadItem {}

        /** An object that was left out, because there is no memory left for it. Its kind is known. */
        record LeftOutItem(ClusterFactKind kind) implements ReadItem {}

        /** An object of a kind that a diagnosis does not need. */
        record OtherItem() implements ReadItem {}

        /** An object that does not name its kind, in a list whose kind has not been read yet. */
        record KindlessItem(String name) implements ReadItem {}
    }

    private static final String METADATA = "metadata";

    /** The namespace in which each kubelet has a Lease with the name of its node. */
    private static final String NODE_LEASES = "kube-node-lease";

    private final NewestFactTime newest;
    private final ObjectReader metadata;
    private final ObjectReader metadataWithoutLabels;
    private final Map<ClusterFactKind, ObjectReader> records = new EnumMap<>(ClusterFactKind.class);

    /**
     * Creates a reader.
     *
     * @param newest receives the times of all objects, even of objects that are not needed
     */
    ItemReader(NewestFactTime newest) {
        this.newest = newest;
        this.metadata = reader(ItemMeta.class);
        this.metadataWithoutLabels = metadata.withAttribute(FactLabelsReader.SKIPPED, true);
    }

    private ObjectReader reader(Class<?> type) {
        return ItemJson.MAPPER.readerFor(type).withAttribute(NewestFactTime.class, newest);
    }

    /**
     * Reads the object that begins at the current token. Afterwards the parser is at the last token of the object.
     *
     * @param kind the kind to use if the object does not name its kind; empty if it is not known
     * @param apiVersion the version to use if the object does not name it; empty if it is not known
     */
    ReadItem read(JsonParser parser, String kind, String apiVersion) throws IOException {
        JsonStreamContext list = parser.getParsingContext().getParent();
        Item item = new Item(parser, kind, apiVersion);
        try {
            return item.read();
        } catch (OversizedItem oversized) {
            return item.skipped(list, String.valueOf(oversized.getMessage()));
        } catch (JsonMappingException mismatch) {
            return item.skipped(list, problem(mismatch, item.metered.isInMetadata() ? METADATA : ""));
        } finally {
            item.tellTimes();
        }
    }

    /**
     * Returns the reason why an object does not fit its record.
     *
     * @param within the field in which the path in the exception begins; empty if the path begins at the object
     * @throws IOException if {@code mismatch} only wraps the exception of a stream that has ended or is broken
     */
    static String problem(JsonMappingException mismatch, String within) throws IOException {
        return switch (mismatch.getCause()) {
            case OversizedItem oversized -> String.valueOf(oversized.getMessage());
            case JsonMappingException _, InputCoercionException _ -> MalformedItem.sentence(mismatch, within);
            case IOException broken -> throw broken;
            case null, default -> MalformedItem.sentence(mismatch, within);
        };
    }

    private static Class<? extends ClusterItem> type(ClusterFactKind kind) {
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
            case QUEUED_WORKLOADS -> QueuedWorkloadItem.class;
        };
    }

    /** The state of one object while it is read. */
    private final class Item {

        private final JsonParser parser;
        private final MeteredFactParser metered;
        private String kind;
        private String apiVersion;

        Item(JsonParser parser, String kind, String apiVersion) {
            this.parser = parser;
            this.metered = new MeteredFactParser(parser);
            this.kind = kind;
            this.apiVersion = apiVersion;
        }

        /**
         * Reads the object. Kubectl writes kind and apiVersion first. Fields before kind and apiVersion are buffered.
         */
        ReadItem read() throws IOException {
            try (TokenBuffer before = new TokenBuffer(ItemJson.MAPPER, /* hasNativeIds= */ false)) {
                before.writeStartObject();
                String field = metered.nextFieldName();
                while (field != null) {
                    JsonToken token = metered.nextToken();
                    if (field.equals(METADATA) && token == JsonToken.START_OBJECT) {
                        before.writeFieldName(field);
                        before.writeEmbeddedObject(metadata());
                    } else if (token.isStructStart() && isOther()) {
                        metered.skipChildren();
                    } else if (token.isStructStart() && !kind.isEmpty()) {
                        header(before);
                        before.writeFieldName(field);
                        return known(before);
                    } else if (!isHeader(field, token)) {
                        before.writeFieldName(field);
                        before.copyCurrentStructure(metered);
                    }
                    field = metered.nextFieldName();
                }
                header(before);
                before.writeEndObject();
                return kind.isEmpty() ? new ReadItem.KindlessItem(metered.fullName()) : known(before);
            }
        }

        /**
         * Tells {@link NewestFactTime} that the object has ended, and which source its times have. For a Node and the
         * Lease of a node, the source is the kubelet. For any other object, the source is its namespace, because the
         * users of the namespace wrote the times.
         */
        private void tellTimes() {
            if (kind.equals(ClusterFactKind.NODES.kind())) {
                newest.endOfNode(metered.name());
            } else if (kind.equals(ClusterFactKind.LEASES.kind())
                    && metered.namespace().equals(NODE_LEASES)) {
                newest.endOfNodeLease(metered.name());
            } else {
                newest.endOfObject(metered.namespace());
            }
        }

        /** Stores kind or apiVersion if this field is one of them. Returns true if it is. */
        private boolean isHeader(String field, JsonToken token) throws IOException {
            boolean isKind = token == JsonToken.VALUE_STRING && field.equals("kind");
            boolean isVersion = token == JsonToken.VALUE_STRING && field.equals("apiVersion");
            kind = isKind ? parser.getText() : kind;
            apiVersion = isVersion ? parser.getText() : apiVersion;
            return isKind || isVersion;
        }

        private void header(TokenBuffer record) throws IOException {
            record.writeStringField("kind", kind);
            record.writeStringField("apiVersion", apiVersion);
        }

        private Optional<ClusterFactKind> factKind() {
            return ClusterFactKind.of(kind, apiVersion);
        }

        private boolean isOther() {
            return !kind.isEmpty() && factKind().isEmpty();
        }

        /** Returns true if the diagnosis uses the labels of this kind of object, or if the kind is not known yet. */
        private boolean needsLabels() {
            return kind.isEmpty()
                    || factKind()
                            .filter(known -> known == ClusterFactKind.NODES
                                    || known == ClusterFactKind.PODS
                                    || known == ClusterFactKind.JOBS)
                            .isPresent();
        }

        private ItemMeta metadata() throws IOException {
            metered.isInMetadata(true);
            ItemMeta read = (needsLabels() ? metadata : metadataWithoutLabels).readValue(metered);
            metered.isInMetadata(false);
            return read;
        }

        private ReadItem known(TokenBuffer before) throws IOException {
            Optional<ClusterFactKind> known = factKind();
            if (known.isEmpty()) {
                return new ReadItem.OtherItem();
            }
            ObjectReader record = records.computeIfAbsent(known.get(), factKind -> reader(type(factKind)));
            metered.insert(before.asParser());
            return new ReadItem.KnownItem(known.get(), record.readValue(metered));
        }

        /**
         * Skips the rest of the object. If the kind and name are not known yet, reads them from the skipped part, so
         * that the problem can be reported with the name of the object.
         */
        ReadItem skipped(JsonStreamContext list, String problem) throws IOException {
            for (JsonStreamContext at = parser.getParsingContext(); !at.equals(list); at = parser.getParsingContext()) {
                JsonToken token = parser.currentToken();
                if (token == JsonToken.VALUE_STRING && list.equals(at.getParent())) {
                    var _ = isHeader(String.valueOf(at.getCurrentName()), token);
                } else if (token == JsonToken.VALUE_STRING && isOfMetadata(at, list)) {
                    metered.metadata(String.valueOf(at.getCurrentName()), parser.getText());
                }
                if (parser.nextToken() == null) {
                    throw new EOFException("the stream ends within an object");
                }
            }
            return factKind()
                    .<ReadItem>map(known ->
                            new ReadItem.UnreadItem(known, MalformedItem.title(kind, metered.fullName()), problem))
                    .orElseGet(() ->
                            kind.isEmpty() ? new ReadItem.KindlessItem(metered.fullName()) : new ReadItem.OtherItem());
        }

        private static boolean isOfMetadata(JsonStreamContext at, JsonStreamContext list) {
            JsonStreamContext around = at.getParent();
            return around != null
                    && list.equals(around.getParent())
                    && Objects.equals(around.getCurrentName(), METADATA);
        }
    }
}
