package dev.sluice.api;

import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.FleetDocument.FleetChange;
import dev.sluice.api.FleetDocument.FleetDevice;
import dev.sluice.api.FleetDocument.FleetKind;
import dev.sluice.api.FleetDocument.FleetNode;
import dev.sluice.api.FleetDocument.FleetReload;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The GPU nodes, and how many of their devices are in use. Each change creates a new version. A client gets the whole
 * fleet, or the changes since an earlier version. Nodes that differ only in their names and in the devices in use share
 * a {@link FleetKind}. It is not thread-safe.
 */
public final class FleetDocuments {

    /**
     * The maximum number of nodes in a change. Their text takes about 100 KiB. If more nodes have changed, clients load
     * the whole fleet.
     */
    static final int MOST_CHANGED = 1_000;

    /** The maximum number of kinds of nodes in a change. The text of a usual kind takes less than 500 bytes. */
    static final int MOST_CHANGED_KINDS = 200;

    /**
     * The maximum number of device resources that all kinds of nodes in a change have together. The remembered kinds
     * that no node has any more may also have this number together. A usual kind has ten resources, but a malicious
     * kubelet can report thousands of invented ones, and different ones each time.
     */
    static final int MOST_DEVICES = 10_000;

    /**
     * The maximum length of an event in characters. An event is written only to a client with less than 128 KiB unread,
     * so a client has at most 256 KiB unread.
     */
    static final int LONGEST_EVENT = 128 * 1_024;

    /**
     * The maximum number of removed nodes that are remembered. It is also the limit for remembered kinds that no node
     * has any more.
     */
    static final int MOST_GONE = 1_000;

    /**
     * The maximum number of kinds of nodes if the client asks for labels. With more kinds, the document of a large
     * cluster would be too long.
     */
    static final int MOST_KINDS = 2_000;

    /** The keys of the taints that the node lifecycle controller sets while a node is not ready. */
    private static final Set<String> NOT_READY =
            Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    /** Thrown if the requested labels have so many different values that the nodes have too many kinds. */
    public static final class TooManyKinds extends Exception {

        private static final long serialVersionUID = 1;

        public TooManyKinds() {
            super(
                    "the nodes differ in these labels so much that there are more than " + MOST_KINDS
                            + " kinds of nodes; ask for other labels",
                    null,
                    /* enableSuppression= */ false,
                    /* writableStackTrace= */ false);
        }
    }

    /**
     * A node as clients see it.
     *
     * @param changed the number of the version in which the shown data of the node changed last
     */
    private record ShownNode(Node node, LedgerNodeUsage usage, FleetNode shown, long changed) {}

    private record GoneNode(String name, long version) {}

    private final String epoch;
    private final List<String> labels;
    /** The number of calls of {@link #beginAnew}. Each call starts the numbering of the kinds of nodes again. */
    private int beginnings;

    private long version;
    private Instant time = Instant.EPOCH;
    private boolean podsKnown;
    private long unplaced;
    private long withoutDevices;
    private Set<ResourceName> secondNames = Set.of();
    private SequencedMap<String, ShownNode> rows = new LinkedHashMap<>();
    private final Map<FleetKind, Integer> numbers = new HashMap<>();
    private final List<FleetKind> kinds = new ArrayList<>();
    private final Deque<GoneNode> gone = new ArrayDeque<>();
    /** The oldest version from which a change can be computed. All nodes that were removed after it are remembered. */
    private long goneKnownSince;

    /**
     * Creates an empty fleet.
     *
     * @param epoch the beginning of the text of each version; it is different for every fleet
     * @param labels the labels that are shown
     */
    public FleetDocuments(String epoch, List<String> labels) {
        this.epoch = epoch;
        this.labels = List.copyOf(labels);
    }

    /**
     * Updates the fleet to a newer state of the cluster. If nothing that clients see has changed, the version stays the
     * same.
     */
    public void advance(ClusterSnapshot cluster, ClusterUse taken, Instant now) throws TooManyKinds {
        Set<ResourceName> second = CapacityReport.secondNames(cluster, taken, CapacityReport.Selection.ALL);
        if (!second.equals(secondNames) || hasTooManyUnusedKinds()) {
            beginAnew(second);
        }
        List<ShownNode> next = new ArrayList<>(rows.size());
        int stayed = 0;
        long without = 0;
        boolean changed = false;
        for (Node node : cluster.nodesByName()) {
            @Nullable ShownNode before = rows.get(node.name());
            ShownNode row = shown(before, node, CapacityReport.usage(taken, node));
            if (row == null) {
                without++;
            } else {
                next.add(row);
                changed |= row.changed > version;
                if (before != null) {
                    stayed++;
                    replace(before, row);
                }
            }
        }
        boolean known = taken instanceof ClusterUse.UseKnown;
        long nowhere = taken instanceof ClusterUse.UseKnown use ? use.unplaced() : 0;
        boolean anyGone = stayed < rows.size();
        if (anyGone || stayed < next.size()) {
            replaceAll(next);
        }
        changed |= anyGone || known != podsKnown || nowhere != unplaced || without != withoutDevices;
        podsKnown = known;
        unplaced = nowhere;
        withoutDevices = without;
        if (changed || version == 0) {
            version++;
            time = now;
        }
        if (!labels.isEmpty() && kindsOf(rows.values()).size() > MOST_KINDS) {
            throw new TooManyKinds();
        }
    }

    private boolean hasTooManyUnusedKinds() {
        if (kinds.size() <= MOST_GONE && devices(kinds) <= MOST_DEVICES) {
            return false;
        }
        List<FleetKind> used = kindsOf(rows.values());
        return kinds.size() - used.size() > MOST_GONE || devices(kinds) - devices(used) > MOST_DEVICES;
    }

    private static long devices(List<FleetKind> kinds) {
        return kinds.stream().mapToLong(kind -> kind.devices().size()).sum();
    }

    /**
     * Removes all kinds of nodes, because too many of them are unused, or because the names to leave out have changed.
     *
     * @param second the resource names that are left out from now on
     */
    private void beginAnew(Set<ResourceName> second) {
        secondNames = second;
        numbers.clear();
        kinds.clear();
        rows = new LinkedHashMap<>();
        gone.clear();
        goneKnownSince = version + 1;
        beginnings++;
    }

    /** Updates the row of a node that clients already see. Most nodes have not changed, so most calls do nothing. */
    private void replace(ShownNode before, ShownNode row) {
        if (!row.equals(before)) {
            rows.put(row.node.name(), row);
        }
    }

    /** Replaces the whole list of shown nodes, because nodes were added or removed. Remembers the removed nodes. */
    private void replaceAll(List<ShownNode> next) {
        SequencedMap<String, ShownNode> byName = LinkedHashMap.newLinkedHashMap(next.size());
        next.forEach(row -> byName.put(row.node.name(), row));
        for (String name : rows.keySet()) {
            if (!byName.containsKey(name)) {
                gone.addLast(new GoneNode(name, version + 1));
            }
        }
        while (gone.size() > MOST_GONE) {
            goneKnownSince = gone.removeFirst().version;
        }
        rows = byName;
    }

    /**
     * Returns the node as clients see it. Returns null for a node that is not shown, because it has neither devices nor
     * a label that indicates a GPU.
     */
    private @Nullable ShownNode shown(@Nullable ShownNode before, Node node, LedgerNodeUsage usage) {
        if (before != null && before.node.equals(node) && before.usage.equals(usage)) {
            return before;
        }
        int kind = before != null && before.node.equals(node) ? before.shown.kind() : kind(node);
        if (kind < 0) {
            return null;
        }
        FleetNode shown = new FleetNode(node.name(), kind, used(kinds.get(kind), usage));
        return before != null && before.shown.equals(shown)
                ? new ShownNode(node, usage, shown, before.changed)
                : new ShownNode(node, usage, shown, version + 1);
    }

    /**
     * Returns the number of the node's kind. Returns -1 for a node that has neither devices nor a label that indicates
     * a GPU.
     */
    private int kind(Node node) {
        List<FleetDevice> devices = new ArrayList<>();
        node.capacity().plus(node.allocatable()).forEach((name, _) -> {
            if (name.isExtended() && !secondNames.contains(name)) {
                devices.add(FleetDevice.of(node, name));
            }
        });
        if (devices.isEmpty() && !GpuLabels.indicateGpu(node.labels())) {
            return -1;
        }
        Map<String, String> chosen = new TreeMap<>();
        for (String key : labels) {
            @Nullable String value = node.labels().get(key);
            if (value != null) {
                chosen.put(key, value);
            }
        }
        FleetKind kind = new FleetKind(
                0,
                GpuLabels.model(node.labels()).orElse(null),
                GpuLabels.pool(node.labels()).orElse(null),
                chosen,
                node.unschedulable(),
                isNotReady(node) ? true : null,
                devices);
        return numbers.computeIfAbsent(kind, unknown -> {
            kinds.add(unknown.numbered(kinds.size()));
            return kinds.size() - 1;
        });
    }

    private static boolean isNotReady(Node node) {
        return node.taints().stream().map(Taint::key).anyMatch(NOT_READY::contains);
    }

    private static @Nullable List<Long> used(FleetKind kind, LedgerNodeUsage usage) {
        List<Long> used = new ArrayList<>(2 * kind.devices().size());
        boolean any = false;
        for (FleetDevice device : kind.devices()) {
            long allocated = usage.allocated().get(device.resource());
            long reserved = usage.reserved().get(device.resource());
            any |= allocated != 0 || reserved != 0;
            used.add(allocated);
            used.add(reserved);
        }
        return any ? List.copyOf(used) : null;
    }

    /** Returns the text that identifies the newest version. */
    public String version() {
        return prefix() + version;
    }

    private String prefix() {
        return epoch + "." + beginnings + "-f";
    }

    public FleetDocument document() {
        return new FleetDocument(
                version(),
                time,
                podsKnown,
                shownUnplaced(),
                withoutDevices,
                kindsOf(rows.values()),
                rows.values().stream().map(ShownNode::shown).toList());
    }

    private @Nullable Long shownUnplaced() {
        return podsKnown ? unplaced : null;
    }

    private List<FleetKind> kindsOf(Collection<ShownNode> shown) {
        Set<Integer> used = new HashSet<>();
        shown.forEach(row -> used.add(row.shown.kind()));
        return used.stream().sorted().map(kinds::get).toList();
    }

    /**
     * Returns the data of the event that updates a client from the version {@code from} to the newest one. It is a
     * {@link FleetChange}, or a {@link FleetReload} if the version is unknown or too much has changed. Returns empty if
     * {@code from} is the newest version.
     */
    Optional<Object> since(String from) {
        if (from.equals(version())) {
            return Optional.empty();
        }
        long known = number(from);
        List<ShownNode> changed =
                rows.values().stream().filter(row -> row.changed > known).toList();
        List<FleetKind> changedKinds = kindsOf(changed);
        if (known < Math.max(1, goneKnownSince)
                || known > version
                || changed.size() > MOST_CHANGED
                || changedKinds.size() > MOST_CHANGED_KINDS
                || devices(changedKinds) > MOST_DEVICES) {
            return Optional.of(reload());
        }
        return Optional.of(new FleetChange(
                version(),
                from,
                time,
                podsKnown,
                shownUnplaced(),
                withoutDevices,
                changedKinds,
                changed.stream().map(ShownNode::shown).toList(),
                gone.stream()
                        .filter(node -> node.version > known && !rows.containsKey(node.name))
                        .map(GoneNode::name)
                        .distinct()
                        .toList()));
    }

    private FleetReload reload() {
        return new FleetReload(version(), /* reload= */ true);
    }

    /**
     * Returns the text of the event with the data of {@link #since}. If the text of the change would be too long, the
     * event asks the client to load the whole fleet.
     */
    public Optional<String> eventSince(String from) {
        return since(from)
                .map(ApiEventEncoder::fleet)
                .map(event -> event.length() > LONGEST_EVENT ? ApiEventEncoder.fleet(reload()) : event);
    }

    /** Returns the number of a version of this fleet, or -1 for any other text. */
    private long number(String text) {
        String digits = text.startsWith(prefix()) ? text.substring(prefix().length()) : "";
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : -1;
    }
}
