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
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.ClusterFacts.WebhookFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.DraFacts.ClaimFacts;
import dev.sluice.doctor.facts.DraFacts.DeviceClassFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.QueuedWorkloadFacts;
import dev.sluice.doctor.facts.QuotaFacts;
import dev.sluice.kube.facts.FactBudget.FactShare;
import dev.sluice.kube.facts.FactBudget.LeftOutShare;
import dev.sluice.kube.facts.FactBudget.Room;
import dev.sluice.kube.facts.ItemReader.ReadItem;
import dev.sluice.kube.facts.NewestFacts.ItemKey;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the facts that a diagnosis needs from the objects of lists. This class is not thread-safe. */
public final class FactsCollector implements FactBudget.Keeper {

    /**
     * The maximum number of unreadable objects that are reported by name. A longer list would not help the reader of a
     * report.
     */
    static final int MOST_UNREAD = 100;

    private static final int LONGEST_NAME = 300;

    /** The estimated memory of an object's entry and key, in bytes. */
    private static final long OBJECT = 200;

    private String name = "";
    private final ItemFactsConverter decoder = new ItemFactsConverter();
    private final NewestFactTime newest = new NewestFactTime();
    private final ItemReader reader = new ItemReader(newest);

    private final NewestFacts<NodeFacts> nodes = new NewestFacts<>();
    private final NewestFacts<PodFacts> pods = new NewestFacts<>();
    private final NewestFacts<OwnerFacts> owners = new NewestFacts<>();
    private final NewestFacts<QuotaFacts> quotas = new NewestFacts<>();
    private final NewestFacts<ClaimFacts> claims = new NewestFacts<>();
    private final NewestFacts<DeviceClassFacts> classes = new NewestFacts<>();
    private final Map<String, List<EventFacts>> events = new LinkedHashMap<>();
    private final NewestFacts<List<String>> sliceNodes = new NewestFacts<>();
    /** The time of the last renewal of each Lease, by namespace and then by name. */
    private final Map<String, Map<String, Instant>> leases = new LinkedHashMap<>();

    private final NewestFacts<ResourceClaim> deviceClaims = new NewestFacts<>();
    private final NewestFacts<DeviceClass> deviceClasses = new NewestFacts<>();
    private final NewestFacts<ResourceSlice> slices = new NewestFacts<>();
    private final FactPriorities priorities = new FactPriorities();
    private final Set<ClusterFactKind> collected = EnumSet.noneOf(ClusterFactKind.class);
    private final Map<ClusterFactKind, String> failures = new EnumMap<>(ClusterFactKind.class);
    private final NewestFacts<List<WebhookFacts>> webhooks = new NewestFacts<>();
    private final NewestFacts<QueuedWorkloadFacts> queued = new NewestFacts<>();
    private final List<UnreadObject> unread = new ArrayList<>();
    private @Nullable Instant collectedAt;
    private final Map<String, Long> moreUnread = new TreeMap<>();
    private final FactBudget budget;
    /**
     * The number of copies of each object that are counted as memory: 2 if the fields are also kept for a file,
     * otherwise 1.
     */
    private final int copies;

    private final Map<FactShare, TakenShare> taken = new HashMap<>();

    private static final class TakenShare {
        private long bytes;
        private long objects;
    }

    /** Creates a collector whose facts may take any amount of memory. */
    public FactsCollector() {
        this(new FactBudget(Long.MAX_VALUE), /* copies= */ 1);
    }

    FactsCollector(FactBudget budget, int copies) {
        this.budget = budget;
        this.copies = copies;
        budget.add(this);
    }

    /** Gives the memory of all collected facts back to the budget. The collector must not be used afterwards. */
    void discard() {
        synchronized (budget) {
            budget.remove(this);
            taken.forEach((share, use) -> budget.giveBack(share, use.bytes, use.objects));
        }
    }

    /** Records the name of the cluster. */
    void named(String cluster) {
        name = cluster;
    }

    /** Records that all objects of this kind are known, even if there are none. */
    public void listed(ClusterFactKind kind) {
        collected.add(kind);
    }

    /**
     * Records when the objects were collected, by the clock of the API server. If this method is not called, the time
     * is estimated from the times in the objects.
     */
    void collectedAt(Instant time) {
        collectedAt = collectedAt == null ? time : later(collectedAt, time);
    }

    /**
     * Records why the objects of this kind could not be listed.
     *
     * @param why a clause, such as "this account may not list them"
     */
    public void failed(ClusterFactKind kind, String why) {
        failures.put(kind, why);
    }

    /**
     * Reads the object that begins at the parser's current token. Keeps the facts of the object. If the object is
     * malformed, keeps the reason instead.
     *
     * @param kind the kind to use if the object does not name its kind; empty if it is not known
     * @param apiVersion the version to use if the object does not name it; empty if it is not known
     */
    ReadItem read(JsonParser parser, String kind, String apiVersion) throws IOException {
        ReadItem read = reader.read(parser, kind, apiVersion);
        return switch (read) {
            case ReadItem.KnownItem(ClusterFactKind known, ClusterItem item)
            when !add(known, item) -> new ReadItem.LeftOutItem(known);
            case ReadItem.UnreadItem(ClusterFactKind known, String object, String why) -> {
                unread(known, object, why);
                yield read;
            }
            default -> read;
        };
    }

    /**
     * Adds the facts of the object. Returns false if there is no memory for them. A malformed object is recorded as
     * unread.
     */
    private boolean add(ClusterFactKind kind, ClusterItem item) {
        listed(kind);
        try {
            if (item.metadata().name().isEmpty() && kind != ClusterFactKind.EVENTS) {
                throw new MalformedItem("metadata.name is missing");
            }
            return keep(kind, item);
        } catch (MalformedItem malformed) {
            unread(
                    kind,
                    MalformedItem.title(item.kind(), item.metadata().fullName()),
                    String.valueOf(malformed.getMessage()));
            return true;
        }
    }

    private boolean keep(ClusterFactKind kind, ClusterItem item) throws MalformedItem {
        return switch (item) {
            case NodeItem node -> put(nodes, kind, item, decoder.node(node), _ -> null);
            case PodItem pod -> put(pods, kind, item, decoder.pod(pod), FactsCollector::useOfNode);
            case WorkloadItem owner -> put(owners, kind, item, owner.facts(decoder.template(owner)), _ -> null);
            case QuotaItem quota -> put(quotas, kind, item, quota.facts(), _ -> null);
            case ClaimItem claim -> {
                ClaimFacts facts = decoder.claim(claim);
                Optional<ResourceClaim> devices = decoder.devices(claim);
                yield take(kind, item, List.of(facts, devices), _ -> {
                    store(claims, item, facts);
                    devices.ifPresent(known -> store(deviceClaims, item, known));
                });
            }
            case DeviceClassItem deviceClass -> {
                Optional<DeviceClass> known = decoder.deviceClass(deviceClass);
                yield take(kind, item, List.of(deviceClass.facts(), known), _ -> {
                    store(classes, item, deviceClass.facts());
                    known.ifPresent(it -> store(deviceClasses, item, it));
                });
            }
            case WebhooksItem configuration -> put(webhooks, kind, item, configuration.facts(), _ -> null);
            case QueuedWorkloadItem waiting -> put(queued, kind, item, waiting.facts(), _ -> null);
            case EventItem event ->
                take(
                        kind,
                        item,
                        event.facts(),
                        facts -> events.computeIfAbsent(item.metadata().namespace(), _ -> new ArrayList<>())
                                .add(facts));
            case SliceItem slice -> {
                boolean isOfGpus = slice.driver().isEmpty()
                        || GpuVendor.isDriver(slice.driver())
                        || slice.driver().contains("gpu");
                Optional<ResourceSlice> known = decoder.slice(slice);
                yield take(kind, item, List.of(slice.nodes(), known), _ -> {
                    if (isOfGpus) {
                        store(sliceNodes, item, slice.nodes());
                    }
                    known.ifPresent(it -> store(slices, item, it));
                });
            }
            case PriorityClassItem priority ->
                take(
                        kind,
                        item,
                        item.metadata().name(),
                        name -> priorities.add(name, priority.value(), priority.globalDefault()));
            case LeaseItem lease ->
                take(
                        kind,
                        item,
                        item.metadata().name(),
                        name -> lease(item.metadata().namespace(), name, lease.renewed()));
        };
    }

    /**
     * Returns a copy with only the resources that the pod uses on its node, because the diagnosis of other pods needs
     * them. Returns null if the pod uses no resources.
     */
    private static @Nullable PodFacts useOfNode(PodFacts pod) {
        return pod.holdsItsNode() ? pod.withoutDetails() : null;
    }

    private <T> boolean put(
            NewestFacts<T> newestOf, ClusterFactKind kind, ClusterItem item, T facts, Function<T, @Nullable T> rest) {
        T least = rest.apply(facts);
        FactShare share = new FactShare(kind, item.metadata().namespace());
        synchronized (budget) {
            Room room = room(share, facts, least);
            T kept = room == Room.ALL ? facts : room == Room.LEAST ? least : null;
            if (kept != null) {
                store(newestOf, item, kept);
            }
            return room == Room.ALL;
        }
    }

    private static <T> void store(NewestFacts<T> newestOf, ClusterItem item, T facts) {
        newestOf.put(
                new ItemKey(
                        item.kind().toLowerCase(Locale.ROOT),
                        item.metadata().namespace(),
                        item.metadata().name()),
                item.metadata().resourceVersion(),
                facts);
    }

    private <T> boolean take(ClusterFactKind kind, ClusterItem item, T facts, Consumer<T> keeper) {
        synchronized (budget) {
            boolean isKept = room(new FactShare(kind, item.metadata().namespace()), facts, null) == Room.ALL;
            if (isKept) {
                keeper.accept(facts);
            }
            return isKept;
        }
    }

    /**
     * Takes memory for the facts from the budget. If the facts do not fit, takes only enough memory for {@code least}.
     * The caller must hold the lock of the budget until the facts are stored. Otherwise another thread could drop the
     * facts of this kind and namespace before they are stored.
     */
    private Room room(FactShare share, Object facts, @Nullable Object least) {
        long bytes = OBJECT + copies * FactWeight.of(facts);
        long leastBytes = least == null ? 0 : OBJECT + FactWeight.of(least);
        Room room = budget.take(share, bytes, leastBytes);
        if (room != Room.NOTHING) {
            TakenShare use = taken.computeIfAbsent(share, _ -> new TakenShare());
            use.objects++;
            use.bytes += room == Room.ALL ? bytes : leastBytes;
        }
        return room;
    }

    @Override
    public long drop(FactShare share) {
        TakenShare use = taken.get(share);
        if (use == null) {
            return 0;
        }
        String namespace = share.namespace();
        String kind = share.kind().kind();
        long[] rest = new long[1];
        switch (share.kind()) {
            case NODES -> nodes.replace(kind, namespace, _ -> null);
            case PODS ->
                pods.replace(kind, namespace, pod -> {
                    PodFacts kept = useOfNode(pod);
                    rest[0] += kept == null ? 0 : OBJECT + FactWeight.of(kept);
                    return kept;
                });
            case REPLICA_SETS, JOBS, STATEFUL_SETS, DAEMON_SETS -> owners.replace(kind, namespace, _ -> null);
            case RESOURCE_QUOTAS -> quotas.replace(kind, namespace, _ -> null);
            case RESOURCE_CLAIMS -> {
                claims.replace(kind, namespace, _ -> null);
                deviceClaims.replace(kind, namespace, _ -> null);
            }
            case DEVICE_CLASSES -> {
                classes.replace(kind, namespace, _ -> null);
                deviceClasses.replace(kind, namespace, _ -> null);
            }
            case MUTATING_WEBHOOKS -> webhooks.replace(kind, namespace, _ -> null);
            case QUEUED_WORKLOADS -> queued.replace(kind, namespace, _ -> null);
            case EVENTS -> events.remove(namespace);
            case LEASES -> leases.remove(namespace);
            case RESOURCE_SLICES -> {
                sliceNodes.replace(kind, namespace, _ -> null);
                slices.replace(kind, namespace, _ -> null);
            }
            case PRIORITY_CLASSES -> priorities.clear();
        }
        use.bytes = rest[0];
        return rest[0];
    }

    private void unread(ClusterFactKind kind, String object, String why) {
        listed(kind);
        unread(kind.plural(), object, object + " cannot be read: " + why);
    }

    /**
     * Records an object that could not be read.
     *
     * @param plural the plural name of the kind of the object
     * @param object the name of the object
     * @param what a clause that names the object and the reason
     */
    void unread(String plural, String object, String what) {
        if (unread.size() < MOST_UNREAD) {
            unread.add(new UnreadObject(plural, what + "; it is left out.", object, /* objects= */ 1));
        } else {
            moreUnread.merge(plural, 1L, Long::sum);
        }
    }

    private void lease(String namespace, String name, @Nullable Instant renewed) {
        if (renewed != null) {
            leases.computeIfAbsent(namespace, _ -> new HashMap<>()).merge(name, renewed, FactsCollector::later);
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Adds everything that another collector with the same budget has collected, and empties that collector. */
    public void addAll(FactsCollector other) {
        name = name.isEmpty() ? other.name : name;
        synchronized (budget) {
            budget.remove(other);
            nodes.putAll(other.nodes);
            pods.putAll(other.pods);
            owners.putAll(other.owners);
            quotas.putAll(other.quotas);
            claims.putAll(other.claims);
            classes.putAll(other.classes);
            webhooks.putAll(other.webhooks);
            queued.putAll(other.queued);
            other.events.forEach((namespace, of) ->
                    events.computeIfAbsent(namespace, _ -> new ArrayList<>()).addAll(of));
            sliceNodes.putAll(other.sliceNodes);
            deviceClaims.putAll(other.deviceClaims);
            deviceClasses.putAll(other.deviceClasses);
            slices.putAll(other.slices);
            other.leases.forEach((namespace, of) -> of.forEach((name, renewed) -> lease(namespace, name, renewed)));
            priorities.addAll(other.priorities);
            other.taken.forEach((share, use) -> {
                TakenShare all = taken.computeIfAbsent(share, _ -> new TakenShare());
                all.bytes += use.bytes;
                all.objects += use.objects;
            });
        }
        collected.addAll(other.collected);
        failures.putAll(other.failures);
        other.unread.forEach(this::addUnread);
        other.moreUnread.forEach((plural, more) -> moreUnread.merge(plural, more, Long::sum));
        newest.seeAll(other.newest);
        if (other.collectedAt != null) {
            collectedAt(other.collectedAt);
        }
    }

    private void addUnread(UnreadObject object) {
        if (unread.size() < MOST_UNREAD) {
            unread.add(object);
        } else {
            moreUnread.merge(object.plural(), object.objects(), Long::sum);
        }
    }

    /**
     * Returns the objects that could not be read or kept. The objects that were left out for lack of memory come first.
     */
    private List<UnreadObject> allUnread() {
        List<UnreadObject> all = new ArrayList<>();
        Map<String, Long> more = new TreeMap<>();
        budget.othersLeftOut().forEach((kind, objects) -> more.put(kind.plural(), objects));
        for (LeftOutShare left : budget.leftOut()) {
            String plural = left.share().kind().plural();
            if (all.size() < MOST_UNREAD) {
                String namespace = left.share().namespace().isEmpty()
                        ? ""
                        : "namespace " + ShortText.of(left.share().namespace(), LONGEST_NAME);
                all.add(new UnreadObject(
                        plural,
                        "The " + (left.objects() == 1 ? "1 object" : left.objects() + " objects")
                                + (namespace.isEmpty() ? "" : " of " + namespace)
                                + (left.objects() == 1 ? " is" : " are") + " left out, " + budget.why() + ".",
                        namespace.isEmpty() ? "objects without a namespace" : namespace,
                        left.objects()));
            } else {
                more.merge(plural, left.objects(), Long::sum);
            }
        }
        more.forEach((plural, objects) -> all.add(new UnreadObject(
                plural,
                objects + " objects of more namespaces are left out, " + budget.why() + ".",
                "more namespaces",
                objects)));
        all.addAll(unread);
        moreUnread.forEach((plural, objects) -> all.add(new UnreadObject(
                plural, objects + " more objects cannot be read; they are left out.", "more objects", objects)));
        return all;
    }

    /**
     * Returns the devices and claims of DRA, in the form that the gateway uses. The devices are unknown if not all
     * ResourceSlices are known, because a missing slice may contain any number of devices. The claims are unknown if
     * not all ResourceClaims are known.
     */
    private DraState dra() {
        return new DraState(
                new DeviceSupply(
                        DeviceClasses.of(deviceClasses.values()),
                        DevicePools.of(slices.values()),
                        isRead(ClusterFactKind.RESOURCE_SLICES)
                                ? DeviceSupply.Knowledge.ALL
                                : DeviceSupply.Knowledge.CLASSES),
                isRead(ClusterFactKind.RESOURCE_CLAIMS)
                        ? DeviceClaims.of(deviceClaims.values())
                        : DeviceClaims.UNKNOWN);
    }

    /**
     * Returns true if all objects of this kind are known. In this case no object was unreadable or left out, and either
     * the kind was listed, or a file contains an object of it. A file without such an object does not show whether the
     * kind was collected.
     */
    private boolean isRead(ClusterFactKind kind) {
        return collected.contains(kind)
                && allUnread().stream().noneMatch(it -> it.plural().equals(kind.plural()));
    }

    private Set<String> sliceNodes() {
        return sliceNodes.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    }

    public ClusterFacts facts() {
        Map<String, Instant> renewed = new HashMap<>();
        leases.forEach((namespace, of) -> of.forEach((name, time) -> {
            if (!name.equals(ClusterFacts.SCHEDULER_LEASE) || namespace.equals(ClusterFacts.SYSTEM_NAMESPACE)) {
                renewed.merge(name, time, FactsCollector::later);
            }
        }));
        return new ClusterFacts(
                name,
                collectedAt == null ? newest.instant() : collectedAt,
                nodes.values(),
                pods.values().stream().map(priorities::resolve).toList(),
                events.values().stream().flatMap(List::stream).toList(),
                owners.values().stream().map(priorities::resolve).toList(),
                quotas.values(),
                new DraFacts(claims.values(), classes.values(), sliceNodes(), dra()),
                renewed,
                collected,
                failures,
                allUnread(),
                webhooks.values().stream().flatMap(List::stream).toList(),
                queued.values());
    }
}
