package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.ClusterFacts.WebhookFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.DraFacts.ClaimFacts;
import dev.sluice.doctor.facts.DraFacts.DeviceClassFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.QuotaFacts;
import dev.sluice.json.JsonTokens;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the facts of the objects of lists. Has one owner. */
public final class FactsCollector {

    /** More names would help nobody. */
    private static final int MOST_UNREAD = 100;

    private final FactsReader reader = new FactsReader();

    final Newest<NodeFacts> nodes = new Newest<>();
    final Newest<PodFacts> pods = new Newest<>();
    final Newest<OwnerFacts> owners = new Newest<>();
    final Newest<QuotaFacts> quotas = new Newest<>();
    final Newest<ClaimFacts> claims = new Newest<>();
    final Newest<DeviceClassFacts> classes = new Newest<>();
    final List<EventFacts> events = new ArrayList<>();
    final Set<String> sliceNodes = new HashSet<>();
    private final Map<String, Instant> leases = new HashMap<>();
    final Priorities priorities = new Priorities();
    private final Set<FactKind> collected = EnumSet.noneOf(FactKind.class);
    private final Map<FactKind, String> failures = new EnumMap<>(FactKind.class);
    final Newest<List<WebhookFacts>> webhooks = new Newest<>();
    private final List<UnreadObject> unread = new ArrayList<>();
    private @Nullable Instant newestOfOthers;

    /** The object at the parser's current token, not yet counted; afterwards the parser stands on its last. */
    JsonNode tree(JsonParser parser) throws IOException {
        return reader.tree(JsonTokens.of(parser));
    }

    /** Counts the object at the parser's current token, which may not name its kind, and gives what was read of it. */
    public ObjectNode item(JsonParser parser, FactKind kind) throws IOException {
        if (!(tree(parser) instanceof ObjectNode object)) {
            throw new IOException("an item of the list of " + kind.plural() + " is no object");
        }
        object.put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
        add(object);
        return object;
    }

    /** How many bytes all objects that were counted here became when they were read; less is kept of them. */
    public long weight() {
        return reader.weight();
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
        reader.read(item).accept(this);
    }

    void unread(String plural, String what) {
        if (unread.size() < MOST_UNREAD) {
            unread.add(new UnreadObject(plural, what + "; it is left out."));
        }
    }

    void lease(String name, @Nullable Instant renewed) {
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
        see(other.newest());
    }

    /** Another reader has seen this time. */
    void see(@Nullable Instant time) {
        newestOfOthers = later(newestOfOthers, time);
    }

    @Nullable
    private Instant newest() {
        return later(newestOfOthers, reader.newest());
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
