package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.dra.DeviceClaims;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceClasses;
import dev.sluice.cluster.dra.DevicePools;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
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
import dev.sluice.kube.facts.ItemReader.ReadItem;
import dev.sluice.kube.facts.Newest.ItemKey;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects facts from the objects of lists. Only one thread may use it. */
public final class FactsCollector {

    /** The maximum number of unreadable objects that are reported by name. A longer list would not help anyone. */
    static final int MOST_UNREAD = 100;

    private String name = "";
    private final ItemDecoder decoder = new ItemDecoder();
    private final NewestTime newest = new NewestTime();
    private final ItemReader reader = new ItemReader(newest);

    private final Newest<NodeFacts> nodes = new Newest<>();
    private final Newest<PodFacts> pods = new Newest<>();
    private final Newest<OwnerFacts> owners = new Newest<>();
    private final Newest<QuotaFacts> quotas = new Newest<>();
    private final Newest<ClaimFacts> claims = new Newest<>();
    private final Newest<DeviceClassFacts> classes = new Newest<>();
    private final List<EventFacts> events = new ArrayList<>();
    private final Set<String> sliceNodes = new HashSet<>();
    private final Newest<ResourceClaim> deviceClaims = new Newest<>();
    private final Newest<DeviceClass> deviceClasses = new Newest<>();
    private final Newest<ResourceSlice> slices = new Newest<>();
    private final Map<String, Instant> leases = new HashMap<>();
    private final Priorities priorities = new Priorities();
    private final Set<FactKind> collected = EnumSet.noneOf(FactKind.class);
    private final Map<FactKind, String> failures = new EnumMap<>(FactKind.class);
    private final Newest<List<WebhookFacts>> webhooks = new Newest<>();
    private final List<UnreadObject> unread = new ArrayList<>();
    private long weight;

    /** Returns the estimated memory of the facts that were collected here, in bytes. */
    long weight() {
        return weight;
    }

    /** Records the name of the cluster. */
    void named(String cluster) {
        name = cluster;
    }

    /** Records that all objects of this kind are known, even if there are none. */
    public void listed(FactKind kind) {
        collected.add(kind);
    }

    /**
     * Records why a kind is not known.
     *
     * @param why a clause, such as "this account may not list them"
     */
    public void failed(FactKind kind, String why) {
        failures.put(kind, why);
    }

    /**
     * Reads the object that begins at the parser's current token. Keeps its facts, or the reason why it cannot be used.
     *
     * @param kind the kind to use if the object does not name its kind; empty if it is not known
     * @param apiVersion the version to use if the object does not name it; empty if it is not known
     */
    ReadItem read(JsonParser parser, String kind, String apiVersion) throws IOException {
        ReadItem read = reader.read(parser, kind, apiVersion);
        switch (read) {
            case ReadItem.KnownItem(FactKind known, ClusterItem item) -> add(known, item);
            case ReadItem.UnreadItem(FactKind known, String what) -> unread(known, what);
            case ReadItem.OtherItem _, ReadItem.KindlessItem _ -> {}
        }
        return read;
    }

    private void add(FactKind kind, ClusterItem item) {
        listed(kind);
        try {
            if (item.metadata().name().isEmpty() && kind != FactKind.EVENTS) {
                throw new MalformedItem("metadata.name is missing");
            }
            keep(item);
        } catch (MalformedItem malformed) {
            unread(kind, MalformedItem.title(item.kind(), item.metadata().fullName(), malformed.getMessage()));
        }
    }

    private void keep(ClusterItem item) throws MalformedItem {
        switch (item) {
            case NodeItem node -> put(nodes, item, decoder.node(node));
            case PodItem pod -> put(pods, item, decoder.pod(pod));
            case WorkloadItem owner -> put(owners, item, owner.facts(decoder.template(owner)));
            case QuotaItem quota -> put(quotas, item, quota.facts());
            case ClaimItem claim -> {
                put(claims, item, decoder.claim(claim));
                decoder.devices(claim).ifPresent(known -> put(deviceClaims, item, known));
            }
            case DeviceClassItem deviceClass -> {
                put(classes, item, deviceClass.facts());
                decoder.deviceClass(deviceClass).ifPresent(known -> put(deviceClasses, item, known));
            }
            case WebhooksItem configuration -> put(webhooks, item, configuration.facts());
            case EventItem event -> events.add(weighed(event.facts()));
            case SliceItem slice -> {
                if (slice.driver().isEmpty() || GpuVendor.isDriver(slice.driver())) {
                    sliceNodes.addAll(weighed(slice.nodes()));
                }
                decoder.slice(slice).ifPresent(known -> put(slices, item, known));
            }
            case PriorityClassItem priority ->
                priorities.add(weighed(item.metadata().name()), priority.value(), priority.globalDefault());
            case LeaseItem lease -> lease(weighed(item.metadata().name()), lease.renewed());
        }
    }

    private <T> void put(Newest<T> kept, ClusterItem item, T facts) {
        kept.put(
                new ItemKey(
                        item.kind().toLowerCase(Locale.ROOT),
                        item.metadata().namespace(),
                        item.metadata().name()),
                item.metadata().resourceVersion(),
                weighed(facts));
    }

    private <T> T weighed(T facts) {
        weight += FactWeight.of(facts);
        return facts;
    }

    private void unread(FactKind kind, String what) {
        listed(kind);
        unread(kind.plural(), what);
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

    /** Adds everything that another collector has collected. */
    public void addAll(FactsCollector other) {
        name = name.isEmpty() ? other.name : name;
        nodes.putAll(other.nodes);
        pods.putAll(other.pods);
        owners.putAll(other.owners);
        quotas.putAll(other.quotas);
        claims.putAll(other.claims);
        classes.putAll(other.classes);
        webhooks.putAll(other.webhooks);
        events.addAll(other.events);
        sliceNodes.addAll(other.sliceNodes);
        deviceClaims.putAll(other.deviceClaims);
        deviceClasses.putAll(other.deviceClasses);
        slices.putAll(other.slices);
        other.leases.forEach(this::lease);
        priorities.addAll(other.priorities);
        collected.addAll(other.collected);
        failures.putAll(other.failures);
        other.unread.stream().limit(MOST_UNREAD - unread.size()).forEach(unread::add);
        newest.seeAll(other.newest);
        weight += other.weight;
    }

    /**
     * Returns what DRA hands out, as the gateway counts it. Slices that could not be read may have any number of
     * devices.
     */
    private DraState dra() {
        boolean all = collected.contains(FactKind.RESOURCE_SLICES)
                && unread.stream().noneMatch(it -> it.plural().equals(FactKind.RESOURCE_SLICES.plural()));
        return new DraState(
                new DeviceSupply(
                        DeviceClasses.of(deviceClasses.values()),
                        DevicePools.of(slices.values()),
                        all ? DeviceSupply.Knowledge.ALL : DeviceSupply.Knowledge.CLASSES),
                DeviceClaims.of(deviceClaims.values()));
    }

    public ClusterFacts facts() {
        return new ClusterFacts(
                name,
                newest.instant(),
                nodes.values(),
                pods.values().stream().map(priorities::resolve).toList(),
                events,
                owners.values().stream().map(priorities::resolve).toList(),
                quotas.values(),
                new DraFacts(claims.values(), classes.values(), sliceNodes, dra()),
                leases,
                collected,
                failures,
                unread,
                webhooks.values().stream().flatMap(List::stream).toList());
    }
}
