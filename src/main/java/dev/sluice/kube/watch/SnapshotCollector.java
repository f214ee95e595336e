package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.admission.request.LimitRanges;
import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.kube.decode.ClusterDecoder;
import dev.sluice.kube.decode.DecodedClusterObject;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.PodStateDecoder;
import dev.sluice.kube.facts.KubectlObjectBudget;
import dev.sluice.text.CountText;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Collects the nodes and pods from the documents of a snapshot file. Each instance reads one file. */
final class SnapshotCollector {

    static final String HOW_TO_WRITE_ONE = "write it with: kubectl get nodes,pods,limitranges -A -o json";

    /**
     * The kinds of lists that must have items. A list without the field {@code items} would look like a cluster in
     * which all objects were deleted.
     */
    private static final Set<String> LISTS = Set.of(
            "List",
            "NodeList",
            "PodList",
            "LimitRangeList",
            "DaemonSetList",
            "DeviceClassList",
            "ResourceSliceList",
            "ResourceClaimList");

    /**
     * The maximum number of warnings of one kind. The limit is needed because thousands of objects can have the same
     * fault.
     */
    private static final int MOST_WARNINGS = 100;

    private static final int LONGEST_WARNING = 1_000;

    /** The maximum number of kinds that are counted. A file can contain any number of invented kinds. */
    private static final int MOST_KINDS = 1_000;

    /** The maximum number of kinds that a message lists. */
    private static final int MOST_KINDS_SHOWN = 5;

    /**
     * The estimated memory, in bytes, of an object whose kind is not known yet. The memory of its texts is counted in
     * addition.
     */
    private static final long BYTES_WITHOUT_KIND = 4_000;

    private final ClusterDecoder decoder = new ClusterDecoder();
    private final KubectlObjectBudget budget;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<PodId, Pod> pods = new LinkedHashMap<>();
    private final Map<PodId, PodEvent.PodRemoved> ended = new LinkedHashMap<>();
    private final UnreadObjectNames unreadNodes = new UnreadObjectNames();
    private final UnreadObjectNames unreadPods = new UnreadObjectNames();
    private final Warnings nodeWarnings = new Warnings();
    private final Warnings podWarnings = new Warnings();
    private final Map<String, Integer> otherKinds = new TreeMap<>();
    private final SnapshotFileDevices devices = new SnapshotFileDevices();
    private final Map<String, List<NamespaceLimitRangeRule>> limitRanges = new LinkedHashMap<>();
    private final Warnings limitRangeWarnings = new Warnings();
    /**
     * The full name of a DaemonSet that is a device plugin for GPUs; empty if there is none. If there are several, it
     * is the first one in alphabetical order.
     */
    private String plugin = "";

    /** The items of the current list that do not name their kind. The list may name its own kind after its items. */
    private final List<DecodedClusterObject> withoutKind = new ArrayList<>();

    private long withoutKindBytes;
    /**
     * The position in the text at the end of the last object that does not name its kind. The length of the next such
     * object is counted from there.
     */
    private long lastOffset;

    private int documents;
    private boolean nodesListed;

    SnapshotCollector(KubectlObjectBudget budget) {
        this.budget = budget;
    }

    /**
     * Reads all documents. The message of an exception is the rest of a sentence that begins with the name of the file.
     *
     * @param found a callback that runs for each item of a list
     */
    void read(JsonParser parser, Runnable found) throws IOException, ClusterStateException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                documents++;
                document(parser, found);
            } else if (!isNothing(parser)) {
                int line = parser.currentTokenLocation().getLineNr();
                throw new ClusterStateException(", line " + line + ": is no List and no Node; " + HOW_TO_WRITE_ONE);
            }
        }
        if (nodes.isEmpty() && !isOfClusterWithoutNodes()) {
            throw new ClusterStateException(whyNoNodes());
        }
    }

    SnapshotFile.SnapshotContents contents() {
        return new SnapshotFile.SnapshotContents(
                List.copyOf(nodes.values()),
                List.copyOf(pods.values()),
                List.copyOf(ended.values()),
                unreadNodes.objects(),
                unreadPods.objects(),
                devices.state(),
                LimitRanges.of(limitRanges),
                Optional.of(plugin)
                        .filter(name -> !name.isEmpty())
                        .map(name -> ClusterGpuEvidence.ofPlugin("DaemonSet", name)),
                warnings());
    }

    /** Returns true if a YAML document is empty. */
    private static boolean isNothing(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NULL
                || (parser.currentToken() == JsonToken.VALUE_STRING
                        && parser.getText().isEmpty());
    }

    private void document(JsonParser parser, Runnable found) throws IOException, ClusterStateException {
        int line = parser.currentTokenLocation().getLineNr();
        DecodedClusterObject document = decoder.decode(parser, item -> {
            found.run();
            item(item, parser);
        });
        String kind = document.kind();
        if (LISTS.contains(kind) && !document.itemsProblem().isEmpty()) {
            throw new ClusterStateException(", line " + line + ": the " + kind + " that begins here is broken, as "
                    + document.itemsProblem() + "; " + HOW_TO_WRITE_ONE);
        }
        switch (kind) {
            case "" ->
                throw new ClusterStateException(
                        ", line " + line + ": the document that begins here has no kind; kubectl"
                                + " writes it last, so the file may be cut short; " + HOW_TO_WRITE_ONE);
            case "List" -> {
                nodesListed = true;
                withoutKind.forEach(_ -> count("object without kind"));
            }
            case "NodeList" -> {
                nodesListed = true;
                for (DecodedClusterObject item : withoutKind) {
                    node(item.asNode());
                }
            }
            case "PodList" -> {
                for (DecodedClusterObject item : withoutKind) {
                    pod(item.asPod());
                }
            }
            case "LimitRangeList" -> {
                for (DecodedClusterObject item : withoutKind) {
                    limitRange(item.asLimitRange());
                }
            }
            case "DaemonSetList" -> withoutKind.forEach(item -> daemonSet(item.asDaemonSet()));
            default -> other(document);
        }
        withoutKind.clear();
        budget.keep(-withoutKindBytes);
        withoutKindBytes = 0;
    }

    /**
     * Handles a document that is a single object, or a list of another kind, such as a ServiceList. The items of such a
     * list that do not name their kind are only counted.
     */
    private void other(DecodedClusterObject document) throws IOException {
        if (document.kind().endsWith("List")) {
            withoutKind.forEach(_ -> count("item of a " + document.kind()));
            if (!withoutKind.isEmpty()) {
                devices.takesUnread(document.kind().substring(0, document.kind().length() - "List".length()));
            }
        } else {
            add(document);
        }
    }

    private void item(DecodedClusterObject item, JsonParser parser) throws IOException {
        if (item.kind().isEmpty()) {
            long offset = parser.currentLocation().getCharOffset();
            long bytes = BYTES_WITHOUT_KIND + 2 * Math.max(0, offset - lastOffset);
            lastOffset = offset;
            budget.keep(bytes);
            withoutKindBytes += bytes;
            withoutKind.add(item);
        } else {
            add(item);
        }
    }

    private void add(DecodedClusterObject object) throws IOException {
        if (object.kind().equals("Pod")) {
            pod(object.asPod());
        } else if (object.kind().equals("LimitRange")) {
            limitRange(object.asLimitRange());
        } else if (object.kind().equals("DaemonSet")) {
            daemonSet(object.asDaemonSet());
        } else if (devices.takes(object, budget)) {
            count(object.kind());
        } else {
            node(object.asNode());
        }
    }

    private void node(ObjectDecodeResult<Node> decoded) throws IOException {
        Node node = valueOf(decoded, unreadNodes, nodeWarnings).orElse(null);
        if (node != null && nodes.put(node.name(), node) != null) {
            nodeWarnings.add(duplicate("node " + node.name()));
        }
    }

    private void pod(ObjectDecodeResult<Pod> decoded) throws IOException {
        count("Pod");
        if (decoded instanceof ObjectDecodeResult.Ended<Pod> gone) {
            ended(PodStateDecoder.removal(gone.object()));
        }
        Pod pod = valueOf(decoded, unreadPods, podWarnings).orElse(null);
        if (pod != null) {
            boolean hadEnded = ended.remove(pod.id()) != null;
            if (pods.put(pod.id(), pod) != null || hadEnded) {
                podWarnings.add(duplicate("pod " + pod.name()));
            }
        }
    }

    private void limitRange(ObjectDecodeResult<DecodedObject<List<NamespaceLimitRangeRule>>> decoded)
            throws IOException {
        count("LimitRange");
        if (decoded
                instanceof
                ObjectDecodeResult.Found<DecodedObject<List<NamespaceLimitRangeRule>>>(String _, var found)) {
            budget.keep(found.meta().fullName());
            budget.keep(found.value());
            limitRanges.put(found.meta().fullName(), found.value());
        }
        if (decoded instanceof ObjectDecodeResult.Malformed<DecodedObject<List<NamespaceLimitRangeRule>>> malformed) {
            limitRangeWarnings.add(malformed.problem());
        }
    }

    private void daemonSet(ObjectDecodeResult<DecodedObject<Boolean>> decoded) {
        count("DaemonSet");
        if (decoded instanceof ObjectDecodeResult.Found<DecodedObject<Boolean>>(String _, var found) && found.value()) {
            String name = found.meta().fullName();
            plugin = plugin.isEmpty() || name.compareTo(plugin) < 0 ? name : plugin;
        }
    }

    /**
     * Handles a pod in a terminal phase. Such a pod uses no resources. If it has the annotation {@link Pod#STAMP}, the
     * gateway may still hold a reservation for it, which has to be released.
     */
    private void ended(PodEvent.PodRemoved pod) throws IOException {
        if (pods.remove(pod.id()) != null) {
            podWarnings.add(duplicate("pod " + pod.name()));
        }
        if (!pod.stamp().isEmpty()) {
            budget.keep(pod);
            ended.put(pod.id(), pod);
        }
    }

    private <T> Optional<T> valueOf(ObjectDecodeResult<T> decoded, UnreadObjectNames unread, Warnings warnings)
            throws IOException {
        switch (decoded) {
            case ObjectDecodeResult.Found<T> found -> {
                budget.keep(Objects.requireNonNull(found.value()));
                return Optional.of(found.value());
            }
            case ObjectDecodeResult.Ended<T> _ -> {}
            case ObjectDecodeResult.OtherKind<T> other -> count(other.kind());
            case ObjectDecodeResult.Malformed<T> malformed -> {
                unread.add(malformed.object().fullName());
                warnings.add(malformed.problem());
            }
        }
        return Optional.empty();
    }

    private static String duplicate(String what) {
        return what + " is in the file more than once; the last one counts";
    }

    private List<String> warnings() {
        return Stream.of(nodeWarnings, podWarnings, devices.warnings(), limitRangeWarnings)
                .flatMap(warnings -> warnings.all().stream())
                .toList();
    }

    private void count(String kind) {
        if (otherKinds.size() < MOST_KINDS || otherKinds.containsKey(kind)) {
            otherKinds.merge(kind, 1, Integer::sum);
        }
    }

    /**
     * Returns a text with the most frequent kind and the number of its objects. If no object was read, the text says
     * so.
     */
    String mostFrequent() {
        Map<String, Integer> all = new TreeMap<>(otherKinds);
        if (!nodes.isEmpty()) {
            all.put("Node", nodes.size());
        }
        return all.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> "of the kind " + most.getKey() + " (" + most.getValue() + " were read)")
                .orElse("blanks or unknown objects");
    }

    /** Counts the objects that could not be read, and keeps the first names for messages. */
    private static final class UnreadObjectNames {

        private final List<String> names = new ArrayList<>();
        private long total;

        void add(String name) {
            total++;
            if (names.size() < MalformedClusterObjects.MAX_NAMES) {
                names.add(MalformedClusterObjects.printable(name));
            }
        }

        MalformedClusterObjects objects() {
            return new MalformedClusterObjects(total, total, names);
        }
    }

    /** Keeps the first warnings of one kind, and counts the others. */
    static final class Warnings {

        private final List<String> first = new ArrayList<>();
        private int others;

        void add(String warning) {
            if (first.size() < MOST_WARNINGS) {
                first.add(ShortText.of(warning, LONGEST_WARNING));
            } else {
                others++;
            }
        }

        List<String> all() {
            List<String> all = new ArrayList<>(first);
            if (others > 0) {
                all.add("there are " + CountText.of(others, "more warning") + " of this kind");
            }
            return all;
        }
    }

    /** Returns true if the file is the empty list that kubectl writes for a cluster without nodes and pods. */
    private boolean isOfClusterWithoutNodes() {
        return nodesListed && nodeWarnings.all().isEmpty() && otherKinds.isEmpty();
    }

    private String whyNoNodes() {
        if (documents == 0) {
            return " is empty; " + HOW_TO_WRITE_ONE;
        }
        if (!nodeWarnings.all().isEmpty()) {
            return " holds no usable node; " + nodeWarnings.all().getFirst();
        }
        if (otherKinds.isEmpty()) {
            return " holds no Node; " + HOW_TO_WRITE_ONE;
        }
        List<String> held = otherKinds.entrySet().stream()
                .map(kind -> kind.getValue() + " × " + ShortText.of(kind.getKey(), LONGEST_WARNING))
                .toList();
        return " holds no Node, only " + NameList.of(held, MOST_KINDS_SHOWN) + "; " + HOW_TO_WRITE_ONE;
    }
}
