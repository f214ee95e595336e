package dev.sluice.factsfile;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.diagnosis.facts.ClusterFacts;
import dev.sluice.diagnosis.facts.ClusterFacts.UnreadObject;
import dev.sluice.diagnosis.facts.ClusterFacts.WebhookFacts;
import dev.sluice.diagnosis.facts.DraFacts;
import dev.sluice.diagnosis.facts.DraFacts.ClaimFacts;
import dev.sluice.diagnosis.facts.DraFacts.DeviceClassFacts;
import dev.sluice.diagnosis.facts.EventFacts;
import dev.sluice.diagnosis.facts.FactKind;
import dev.sluice.diagnosis.facts.NodeFacts;
import dev.sluice.diagnosis.facts.OwnerFacts;
import dev.sluice.diagnosis.facts.PodFacts;
import dev.sluice.diagnosis.facts.QuotaFacts;
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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the facts of the objects of lists. Has one owner. */
public final class FactsCollector {

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
    private final Map<FactKind, String> failures = new EnumMap<>(FactKind.class);
    private final Newest<List<WebhookFacts>> webhooks = new Newest<>();
    private final List<UnreadObject> unread = new ArrayList<>();
    private @Nullable Instant newestOfOthers;

    /** The object at the parser's current token, not yet counted; afterwards the parser stands on its last. */
    JsonNode tree(JsonParser parser) throws IOException {
        return trees.read(parser);
    }

    /** Counts the object at the parser's current token, which may not name its kind, and gives what was read of it. */
    public ObjectNode item(JsonParser parser, FactKind kind) throws IOException {
        if (!(trees.read(parser) instanceof ObjectNode object)) {
            throw new IOException("an item of the list of " + kind.plural() + " is no object");
        }
        object.put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
        add(object);
        return object;
    }

    /** All objects of this kind are known, even if there is none. */
    public void listed(FactKind kind) {
        collected.add(kind);
    }

    /** Remembers why a kind is not known, in a clause such as "this account may not list them". */
    public void failed(FactKind kind, String why) {
        failures.put(kind, why);
    }

    void add(ObjectNode item) {
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

    void unread(String plural, String what) {
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
            case MUTATING_WEBHOOKS -> webhooks.put(key, version, WebhookReader.read(item));
            case LEASES -> lease(key.name(), item.object("spec").time("renewTime"));
        }
    }

    private void lease(String name, @Nullable Instant renewed) {
        if (renewed != null) {
            leases.merge(name, renewed, (one, other) -> one.isAfter(other) ? one : other);
        }
    }

    /** Adds what another has collected. */
    public void addAll(FactsCollector other) {
        nodes.putAll(other.nodes);
        pods.putAll(other.pods);
        owners.putAll(other.owners);
        quotas.putAll(other.quotas);
        claims.putAll(other.claims);
        classes.putAll(other.classes);
        webhooks.putAll(other.webhooks);
        events.addAll(other.events);
        sliceNodes.addAll(other.sliceNodes);
        other.leases.forEach(this::lease);
        priorities.addAll(other.priorities);
        collected.addAll(other.collected);
        failures.putAll(other.failures);
        other.unread.stream().limit(MOST_UNREAD - unread.size()).forEach(unread::add);
        newestOfOthers = later(newestOfOthers, other.newest());
    }

    @Nullable
    private Instant newest() {
        return later(newestOfOthers, trees.newest());
    }

    @Nullable
    private static Instant later(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isAfter(one)) ? other : one;
    }

    public ClusterFacts facts() {
        return new ClusterFacts(
                newest(),
                nodes.values(),
                pods.values().stream().map(priorities::resolve).toList(),
                events,
                owners.values().stream().map(priorities::resolve).toList(),
                quotas.values(),
                new DraFacts(claims.values(), classes.values(), sliceNodes),
                leases,
                collected,
                failures,
                unread,
                webhooks.values().stream().flatMap(List::stream).toList());
    }
}
