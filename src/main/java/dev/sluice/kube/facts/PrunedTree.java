package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.JsonTokens;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads one object into a tree of the {@link ReadFields}, and remembers the newest time that stood in any object. */
final class PrunedTree {

    /** When the owner of the labels of a MIG change last wrote, among the fields of metadata. */
    static final String MIG_LABELLED = "sluice/migLabelled";

    static final String MIG_STATE = "nvidia.com/mig.config.state";

    /** When anybody last wrote the object, among the fields of metadata. */
    static final String MANAGED = "sluice/managed";

    /** The times that count for the moment of the snapshot. */
    private static final Set<String> TIMES = Set.of(
            "creationTimestamp",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "eventTime",
            "finishedAt",
            "firstTimestamp",
            "lastHeartbeatTime",
            "lastObservedTime",
            "lastTimestamp",
            "lastTransitionTime",
            "renewTime",
            "startedAt");

    /** Deeper parts belong to objects of other kinds, and are not kept. */
    private static final int DEEPEST = 64;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** About the bytes of a member of an object, and of an element or a value, beside those of texts. */
    private static final int MEMBER = 64;

    private @Nullable Instant newest;
    private String newestText = "";
    private long weight;

    /** The newest time so far, or null. */
    @Nullable
    public Instant newest() {
        return newest;
    }

    /** How many bytes all values became that were read. */
    public long weight() {
        return weight;
    }

    /** The value at the current token; afterwards the tokens stand on its last. */
    public JsonNode read(JsonTokens tokens) throws IOException {
        return value(tokens, 0);
    }

    private JsonNode value(JsonTokens tokens, int depth) throws IOException {
        weight += MEMBER;
        return switch (tokens.current()) {
            case START_OBJECT -> object(tokens, depth, ReadFields.READ);
            case START_ARRAY -> array(tokens, depth);
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NUMBER_INT -> NODES.numberNode(tokens.integer());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(tokens.decimal());
            case VALUE_NULL -> NODES.nullNode();
            default -> text(tokens.text());
        };
    }

    private JsonNode text(String text) {
        weight += text.length();
        return NODES.textNode(text);
    }

    private ObjectNode object(JsonTokens tokens, int depth, Predicate<String> kept) throws IOException {
        ObjectNode object = NODES.objectNode();
        for (String name = tokens.nextName(); name != null; name = tokens.nextName()) {
            JsonToken token = tokens.next();
            if (name.equals("managedFields") && token == JsonToken.START_ARRAY) {
                managed(tokens, object);
            } else if (depth > DEEPEST || !kept.test(name)) {
                tokens.skip();
            } else {
                JsonNode value = token == JsonToken.START_OBJECT
                        ? object(tokens, depth + 1, ReadFields.within(name))
                        : value(tokens, depth + 1);
                if (TIMES.contains(name)) {
                    see(value.textValue());
                }
                weight += name.length();
                object.set(name, value);
            }
        }
        return object;
    }

    private ArrayNode array(JsonTokens tokens, int depth) throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (tokens.next() != JsonToken.END_ARRAY) {
            if (depth > DEEPEST) {
                tokens.skip();
            } else {
                array.add(value(tokens, depth + 1));
            }
        }
        return array;
    }

    private void see(@Nullable String text) {
        if (text == null || isOlder(text)) {
            return;
        }
        Instant time = Fields.parsed(text);
        if (time != null && (newest == null || time.isAfter(newest))) {
            newest = time;
            newestText = text;
        }
    }

    /** Times of the same length in UTC are ordered as texts, which is a fifth of the work of parsing each. */
    private boolean isOlder(String text) {
        return text.length() == newestText.length()
                && text.endsWith("Z")
                && newestText.endsWith("Z")
                && text.compareTo(newestText) <= 0;
    }

    private void managed(JsonTokens tokens, ObjectNode metadata) throws IOException {
        while (tokens.next() != JsonToken.END_ARRAY) {
            if (tokens.current() == JsonToken.START_OBJECT) {
                managedEntry(tokens, metadata);
            } else {
                tokens.skip();
            }
        }
    }

    private void managedEntry(JsonTokens tokens, ObjectNode metadata) throws IOException {
        String time = "";
        boolean labels = false;
        for (String name = tokens.nextName(); name != null; name = tokens.nextName()) {
            var _ = tokens.next();
            if (name.equals("time")) {
                time = tokens.text();
                see(time);
                tokens.skip();
            } else if (name.equals("fieldsV1")) {
                labels = ownsMigLabels(tokens, 0);
            } else {
                tokens.skip();
            }
        }
        if (labels) {
            later(metadata, MIG_LABELLED, time);
        }
        later(metadata, MANAGED, time);
    }

    private static void later(ObjectNode metadata, String field, String time) {
        if (time.compareTo(metadata.path(field).asText()) > 0) {
            metadata.put(field, time);
        }
    }

    /** Looks into {@code f:metadata} and {@code f:labels} only. */
    private static boolean ownsMigLabels(JsonTokens tokens, int depth) throws IOException {
        if (tokens.current() != JsonToken.START_OBJECT) {
            tokens.skip();
            return false;
        }
        boolean owns = false;
        for (String name = tokens.nextName(); name != null; name = tokens.nextName()) {
            var _ = tokens.next();
            if (depth < 2 && name.equals(depth == 0 ? "f:metadata" : "f:labels")) {
                owns |= ownsMigLabels(tokens, depth + 1);
            } else {
                owns |= depth == 2 && (name.equals("f:" + MIG_STATE) || name.startsWith("f:nvidia.com/gpu.deploy."));
                tokens.skip();
            }
        }
        return owns;
    }
}
