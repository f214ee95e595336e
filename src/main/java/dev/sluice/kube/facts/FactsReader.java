package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.json.JsonTokens;
import dev.sluice.kube.facts.Newest.ItemKey;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects one by one; what each one says is kept afterwards, in the order of the objects. It must be used by one
 * thread.
 */
final class FactsReader {

    private final PrunedTree trees = new PrunedTree();
    private final DemandReader asks = new DemandReader();
    private final PodReader pods = new PodReader(asks);
    private final OwnerReader owners = new OwnerReader(asks);
    private final NodeReader nodes = new NodeReader();

    /** Reads the object at the current token; afterwards the current token is its last. */
    JsonNode tree(JsonTokens tokens) throws IOException {
        return trees.read(tokens);
    }

    long weight() {
        return trees.weight();
    }

    /** The newest time in any object that was read. */
    @Nullable
    Instant newest() {
        return trees.newest();
    }

    /** Reads the object now and returns what to do with it later. */
    Consumer<FactsCollector> read(ObjectNode item) {
        Optional<FactKind> kind =
                FactKind.of(item.path("kind").asText(), item.path("apiVersion").asText());
        return kind.isEmpty() ? _ -> {} : counted(kind.get(), item);
    }

    private Consumer<FactsCollector> counted(FactKind kind, ObjectNode item) {
        Consumer<FactsCollector> kept;
        try {
            kept = kept(kind, new Fields(item, ""));
        } catch (MalformedItem malformed) {
            String what = name(item) + " cannot be read: " + malformed.getMessage();
            kept = facts -> facts.unread(kind.plural(), what);
        }
        Consumer<FactsCollector> collected = facts -> facts.listed(kind);
        return collected.andThen(kept);
    }

    private static String name(ObjectNode item) {
        String namespace = item.path("metadata").path("namespace").asText();
        return item.path("kind").asText() + " " + (namespace.isEmpty() ? "" : namespace + "/")
                + item.path("metadata").path("name").asText("without a name");
    }

    private Consumer<FactsCollector> kept(FactKind kind, Fields item) throws MalformedItem {
        Fields metadata = item.object("metadata");
        if (metadata.text("name").isEmpty() && kind != FactKind.EVENTS) {
            throw new MalformedItem("metadata.name is missing");
        }
        ItemKey key = new ItemKey(
                item.text("kind").toLowerCase(Locale.ROOT), metadata.text("namespace"), metadata.text("name"));
        String version = metadata.text("resourceVersion");
        return switch (kind) {
            case NODES -> put(facts -> facts.nodes, key, version, nodes.read(item));
            case PODS -> put(facts -> facts.pods, key, version, pods.read(item));
            case RESOURCE_QUOTAS -> put(facts -> facts.quotas, key, version, SmallReaders.quota(item));
            case REPLICA_SETS, JOBS, STATEFUL_SETS, DAEMON_SETS ->
                put(facts -> facts.owners, key, version, owners.read(kind.kind(), item));
            case DEVICE_CLASSES -> put(facts -> facts.classes, key, version, SmallReaders.deviceClass(item));
            case RESOURCE_CLAIMS -> put(facts -> facts.claims, key, version, SmallReaders.claim(item));
            case MUTATING_WEBHOOKS -> put(facts -> facts.webhooks, key, version, WebhookReader.read(item));
            case EVENTS, PRIORITY_CLASSES, RESOURCE_SLICES, LEASES -> small(kind, key.name(), item);
        };
    }

    private interface Store<T> {
        Newest<T> in(FactsCollector facts);
    }

    private static <T> Consumer<FactsCollector> put(Store<T> store, ItemKey key, String version, T value) {
        return facts -> store.in(facts).put(key, version, value);
    }

    /** A slice names its node, or with {@code perDeviceNodeSelection} its devices do; v1alpha2 had it at the top. */
    private static List<String> sliceNodes(Fields slice) throws MalformedItem {
        Fields spec = slice.object("spec");
        List<String> nodes = new ArrayList<>(List.of(slice.text("nodeName"), spec.text("nodeName")));
        for (Fields device : spec.list("devices")) {
            nodes.add(device.text("nodeName"));
        }
        return nodes;
    }

    /** Reads the kinds for which the versions of an object are not compared: every object counts. */
    private static Consumer<FactsCollector> small(FactKind kind, String name, Fields item) throws MalformedItem {
        return switch (kind) {
            case EVENTS -> {
                EventFacts event = SmallReaders.event(item);
                yield facts -> facts.events.add(event);
            }
            case PRIORITY_CLASSES -> {
                long value = item.number("value", 0);
                boolean byDefault = item.truth("globalDefault");
                yield facts -> facts.priorities.add(name, value, byDefault);
            }
            case RESOURCE_SLICES -> {
                List<String> nodes = sliceNodes(item);
                yield facts -> facts.sliceNodes.addAll(nodes);
            }
            default -> {
                Instant renewed = item.object("spec").time("renewTime");
                yield facts -> facts.lease(name, renewed);
            }
        };
    }
}
