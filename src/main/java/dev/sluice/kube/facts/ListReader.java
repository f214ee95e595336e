package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.SourceProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the lists in a file. */
record ListReader(FactsCollector collector) {

    static final String HOW_TO_WRITE_ONE = "write it with: kubectl get nodes,pods,events,… -A -o json";

    /** Reads the documents of a file. The messages of problems follow its name. */
    void read(JsonParser parser) throws IOException, SourceProblem {
        int documents = 0;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                documents++;
                document(parser);
            } else if (token != JsonToken.VALUE_NULL) {
                throw notAList(parser.currentTokenLocation().getLineNr());
            }
        }
        if (documents == 0) {
            throw new SourceProblem(" is empty; " + HOW_TO_WRITE_ONE);
        }
    }

    private static SourceProblem notAList(int line) {
        return new SourceProblem(", line " + line + ": is not a List; " + HOW_TO_WRITE_ONE);
    }

    private void document(JsonParser parser) throws IOException, SourceProblem {
        int line = parser.currentTokenLocation().getLineNr();
        String kind = "";
        List<ObjectNode> withoutKind = new ArrayList<>();
        boolean items = false;
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            if (field.equals("kind") && token == JsonToken.VALUE_STRING) {
                kind = parser.getText();
            } else if (field.equals("items") && token == JsonToken.START_ARRAY) {
                items = true;
                items(parser, kind, withoutKind);
            } else if (field.equals(ListNotes.FIELD) && token == JsonToken.START_OBJECT) {
                ListNotes.read(parser, collector);
            } else if (field.equals("items") && token != JsonToken.VALUE_NULL) {
                throw notAList(line);
            } else {
                items |= field.equals("items");
                parser.skipChildren();
            }
        }
        if (!kind.endsWith("List") || !items) {
            throw notAList(line);
        }
        for (ObjectNode item : withoutKind) {
            named(item, kind);
        }
    }

    private void items(JsonParser parser, String listKind, List<ObjectNode> withoutKind) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            JsonNode item = collector.tree(parser);
            if (item instanceof ObjectNode object && !object.has("kind") && listKind.isEmpty()) {
                withoutKind.add(object);
            } else {
                item(item, listKind);
            }
        }
    }

    private void item(JsonNode item, String listKind) {
        if (!(item instanceof ObjectNode object)) {
            collector.unread("objects", "An item of the list is no object");
        } else if (object.path("kind").isTextual()) {
            collector.add(object);
        } else {
            named(object, listKind);
        }
    }

    /** In a PodList the items do not name their kind. */
    private void named(ObjectNode item, String listKind) {
        if (listKind.equals("List")) {
            collector.unread(
                    "objects",
                    ("The object " + item.path("metadata").path("name").asText()).strip() + " has no kind");
        } else {
            item.put("kind", listKind.substring(0, listKind.length() - "List".length()));
            collector.add(item);
        }
    }
}
