package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.kube.facts.ItemReader.ReadItem;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the lists in one file. An instance can be used only once. */
final class FactListReader {

    static final String HOW_TO_WRITE_ONE = "write it with: kubectl get nodes,pods,events,… -A -o json";

    /** The maximum number of Lists in one file. Kubectl writes one List into a file. */
    private static final int MOST_LISTS = 10_000;

    private static final int LONGEST_NAME = 300;

    private final JsonParser parser;
    private final FactsCollector collector;
    private final List<String> knownKinds;
    private final List<String> kinds = new ArrayList<>();
    private final KubectlFileCounts counts;
    private final Runnable found;
    private boolean needsKinds;

    /**
     * Creates a reader of one file.
     *
     * @param knownKinds the result of {@link #kinds} after an earlier reading of the same file; empty at the first
     *     reading
     * @param found a callback that runs for each item of a list
     */
    FactListReader(
            JsonParser parser,
            FactsCollector collector,
            List<String> knownKinds,
            KubectlFileCounts counts,
            Runnable found) {
        this.counts = counts;
        this.found = found;
        this.parser = parser;
        this.collector = collector;
        this.knownKinds = List.copyOf(knownKinds);
    }

    /**
     * Reads the documents of the file. The message of a {@code ClusterStateException} continues a sentence that begins
     * with the name of the file.
     */
    void read() throws IOException, ClusterStateException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                document();
            } else if (token != JsonToken.VALUE_NULL) {
                throw notAList(parser.currentTokenLocation().getLineNr());
            }
        }
        if (kinds.isEmpty()) {
            throw new ClusterStateException(" is empty; " + HOW_TO_WRITE_ONE);
        }
    }

    /**
     * Returns true if the file has to be read again, with the result of {@link #kinds}. This is the case if an item was
     * read before its kind was known. The items of a PodList do not name their kind, and kubectl writes the kind of the
     * list after the items in YAML.
     */
    boolean needsKinds() {
        return needsKinds;
    }

    /** Returns the kind of each document in the file. */
    List<String> kinds() {
        return kinds;
    }

    private static ClusterStateException notAList(int line) {
        return new ClusterStateException(", line " + line + ": is not a List; " + HOW_TO_WRITE_ONE);
    }

    private void document() throws IOException, ClusterStateException {
        int line = parser.currentTokenLocation().getLineNr();
        String kind = kinds.size() < knownKinds.size() ? knownKinds.get(kinds.size()) : "";
        List<String> withoutKind = new ArrayList<>();
        boolean items = false;
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            if (field.equals("kind") && token == JsonToken.VALUE_STRING) {
                kind = parser.getText();
            } else if (field.equals("items") && token == JsonToken.START_ARRAY) {
                items = true;
                items(kind, withoutKind);
            } else if (field.equals(FactListNotes.FIELD) && token == JsonToken.START_OBJECT) {
                FactListNotes.read(parser).tell(collector);
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
        if (kinds.size() == MOST_LISTS) {
            throw new ClusterStateException(
                    ", line " + line + ": has more than " + MOST_LISTS + " Lists; join them into one");
        }
        kinds.add(kind);
        if (kind.equals("List")) {
            for (String name : withoutKind) {
                String object = ("The object " + name).strip();
                collector.unread("objects", object, object + " has no kind");
            }
        } else {
            needsKinds |= !withoutKind.isEmpty();
        }
    }

    /**
     * Reads the items of a list. Items of a PodList do not name their kind, so their kind is derived from the kind of
     * the list.
     */
    private void items(String listKind, List<String> withoutKind) throws IOException {
        String kind = listKind.endsWith("List") ? listKind.substring(0, listKind.length() - "List".length()) : "";
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            found.run();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                collector.unread("objects", "An item of the list", "An item of the list is no object");
            } else {
                item(collector.read(parser, kind, /* apiVersion= */ ""), withoutKind);
            }
        }
    }

    private void item(ReadItem item, List<String> withoutKind) {
        switch (item) {
            case ReadItem.KindlessItem(String name) -> {
                if (withoutKind.size() < FactsCollector.MOST_UNREAD) {
                    withoutKind.add(ShortText.of(name, LONGEST_NAME));
                }
            }
            case ReadItem.KnownItem(var kind, var _) -> counts.add(kind);
            case ReadItem.UnreadItem(var kind, var _, var _) -> counts.add(kind);
            case ReadItem.LeftOutItem(var kind) -> counts.add(kind);
            case ReadItem.OtherItem() -> {}
        }
    }
}
