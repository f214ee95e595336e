package dev.sluice.factsfile;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.diagnosis.facts.ClusterFacts;
import dev.sluice.diagnosis.facts.ClusterFacts.UnreadObject;
import dev.sluice.diagnosis.facts.DraFacts;
import dev.sluice.diagnosis.facts.DraFacts.ClaimFacts;
import dev.sluice.diagnosis.facts.DraFacts.DeviceClassFacts;
import dev.sluice.diagnosis.facts.EventFacts;
import dev.sluice.diagnosis.facts.FactKind;
import dev.sluice.diagnosis.facts.NodeFacts;
import dev.sluice.diagnosis.facts.OwnerFacts;
import dev.sluice.diagnosis.facts.PodFacts;
import dev.sluice.diagnosis.facts.QuotaFacts;
import dev.sluice.event.SourceProblem;
import dev.sluice.factsfile.item.AskReader;
import dev.sluice.factsfile.item.Fields;
import dev.sluice.factsfile.item.MalformedItem;
import dev.sluice.factsfile.item.NodeReader;
import dev.sluice.factsfile.item.OwnerReader;
import dev.sluice.factsfile.item.PodReader;
import dev.sluice.factsfile.item.PrunedTree;
import dev.sluice.factsfile.item.SmallReaders;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the facts of the lists in one or several files. */
final class FactsCollector {

    static final String HOW_TO_WRITE_ONE = "write it with: kubectl get nodes,pods,events,… -A -o json";

    /** More names would help nobody. */
    private static final int MOST_UNREAD = 100;

    private final PrunedTree trees = new PrunedTree();
    private final AskReader asks = new AskReader();
    private final PodReader podReader = new PodReader(asks);
    private final OwnerReader ownerReader = new OwnerReader(asks);
    private final NodeReader nodeReader = new NodeReader();

    private final Newest<NodeFacts> nodes = new Newest<>();
    private final Newest<PodFacts> pods = new Newest<>();
    private final Newest<OwnerFacts> owners = new Newest<>();
    private final Newest<QuotaFacts> quotas = new Newest<>();
    private final Newest<ClaimFacts> claims = new Newest<>();
    private final Newest<DeviceClassFacts> classes = new Newest<>();
    private final List<EventFacts> events = new ArrayList<>();
    private final Set<String> sliceNodes = new HashSet<>();
    private final Map<String, Instant> leases = new HashMap<>();
    private final Priorities priorities = new Priorities();
    private final Set<FactKind> collected = EnumSet.noneOf(FactKind.class);
    private final List<UnreadObject> unread = new ArrayList<>();

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
            JsonNode item = trees.read(parser);
            if (!(item instanceof ObjectNode object)) {
                unread("objects", "An item of the list is no object");
            } else if (object.has("kind")) {
                add(object);
            } else if (listKind.isEmpty()) {
                withoutKind.add(object);
            } else {
                named(object, listKind);
            }
        }
    }

    /** In a PodList the items do not name their kind. */
    private void named(ObjectNode item, String listKind) {
        if (listKind.equals("List")) {
            unread("objects", "The object " + item.path("metadata").path("name").asText() + " has no kind");
        } else {
            item.put("kind", listKind.substring(0, listKind.length() - "List".length()));
            add(item);
        }
    }

    private void add(ObjectNode item) {
        Optional<FactKind> kind =
                FactKind.of(item.path("kind").asText(), item.path("apiVersion").asText());
        if (kind.isPresent()) {
            collected.add(kind.get());
            try {
                keep(kind.get(), new Fields(item, ""));
            } catch (MalformedItem malformed) {
                unread(kind.get().plural(), name(item) + " cannot be read: " + malformed.getMessage());
            }
        }
    }

    private static String name(ObjectNode item) {
        String namespace = item.path("metadata").path("namespace").asText();
        return item.path("kind").asText() + " " + (namespace.isEmpty() ? "" : namespace + "/")
                + item.path("metadata").path("name").asText("without a name");
    }

    private void unread(String plural, String what) {
        if (unread.size() < MOST_UNREAD) {
            unread.add(new UnreadObject(plural, what + "; it is left out."));
        }
    }

    private void keep(FactKind kind, Fields item) throws MalformedItem {
        Fields metadata = item.object("metadata");
        if (metadata.text("name").isEmpty() && kind != FactKind.EVENTS) {
            throw new MalformedItem("metadata.name is missing");
        }
        ItemKey key = new ItemKey(
                item.text("kind").toLowerCase(Locale.ROOT), metadata.text("namespace"), metadata.text("name"));
        String version = metadata.text("resourceVersion");
        switch (kind) {
            case NODES -> nodes.put(key, version, nodeReader.read(item));
            case PODS -> pods.put(key, version, podReader.read(item));
            case EVENTS -> events.add(SmallReaders.event(item));
            case RESOURCE_QUOTAS -> quotas.put(key, version, SmallReaders.quota(item));
            case REPLICA_SETS, JOBS, STATEFUL_SETS, DAEMON_SETS ->
                owners.put(key, version, ownerReader.read(kind.kind(), item));
            case PRIORITY_CLASSES -> priorities.add(key.name(), item.number("value", 0), item.truth("globalDefault"));
            case DEVICE_CLASSES -> classes.put(key, version, SmallReaders.deviceClass(item));
            case RESOURCE_CLAIMS -> claims.put(key, version, SmallReaders.claim(item));
            case RESOURCE_SLICES -> sliceNodes.add(item.object("spec").text("nodeName"));
            case LEASES -> lease(key.name(), item.object("spec").time("renewTime"));
        }
    }

    private void lease(String name, @Nullable Instant renewed) {
        if (renewed != null) {
            leases.merge(name, renewed, (one, other) -> one.isAfter(other) ? one : other);
        }
    }

    ClusterFacts facts() {
        return new ClusterFacts(
                trees.newest(),
                nodes.values(),
                pods.values().stream().map(priorities::resolve).toList(),
                events,
                owners.values().stream().map(priorities::resolve).toList(),
                quotas.values(),
                new DraFacts(claims.values(), classes.values(), sliceNodes),
                leases,
                collected,
                unread);
    }
}
