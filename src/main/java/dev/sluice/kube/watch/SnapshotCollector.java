package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.admission.request.LimitRangeRule;
import dev.sluice.admission.request.LimitRanges;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.cluster.UnreadableObjects;
import dev.sluice.kube.client.DecodeResult;
import dev.sluice.kube.decode.ClusterDecoder;
import dev.sluice.kube.decode.ClusterObject;
import dev.sluice.kube.decode.PodStateDecoder;
import dev.sluice.kube.decode.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collects the nodes and pods from the documents of a snapshot file. Each instance reads one file. */
final class SnapshotCollector {

    static final String HOW_TO_WRITE_ONE = "write it with: kubectl get nodes,pods,limitranges -A -o json";

    /**
     * The kinds of lists that must have items. A list without the field {@code items} would look like a cluster in
     * which all objects were deleted.
     */
    private static final Set<String> LISTS =
            Set.of("List", "NodeList", "PodList", "DeviceClassList", "ResourceSliceList", "ResourceClaimList");

    private final ClusterDecoder decoder = new ClusterDecoder();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<PodId, Pod> pods = new LinkedHashMap<>();
    private final Map<PodId, PodEvent.PodRemoved> ended = new LinkedHashMap<>();
    private final List<String> unreadNodes = new ArrayList<>();
    private final List<String> unreadPods = new ArrayList<>();
    private final List<String> nodeWarnings = new ArrayList<>();
    private final List<String> podWarnings = new ArrayList<>();
    private final Map<String, Integer> otherKinds = new TreeMap<>();
    private final SnapshotDevices devices = new SnapshotDevices();
    private final Map<String, List<LimitRangeRule>> limitRanges = new LinkedHashMap<>();
    private final List<String> limitRangeWarnings = new ArrayList<>();

    /** The items of the current list that do not name their kind. The list may name its own kind after its items. */
    private final List<ClusterObject> withoutKind = new ArrayList<>();

    private int documents;
    private boolean nodesListed;

    /** Reads all documents. The message of an exception continues a sentence that begins with the name of the file. */
    SnapshotFile.SnapshotContents read(JsonParser parser) throws IOException, SourceProblem {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                documents++;
                document(parser);
            } else if (!isNothing(parser)) {
                int line = parser.currentTokenLocation().getLineNr();
                throw new SourceProblem(", line " + line + ": is no List and no Node; " + HOW_TO_WRITE_ONE);
            }
        }
        if (nodes.isEmpty() && !isOfClusterWithoutNodes()) {
            throw new SourceProblem(whyNoNodes());
        }
        return new SnapshotFile.SnapshotContents(
                List.copyOf(nodes.values()),
                List.copyOf(pods.values()),
                List.copyOf(ended.values()),
                UnreadableObjects.of(unreadNodes),
                UnreadableObjects.of(unreadPods),
                devices.state(),
                LimitRanges.of(limitRanges),
                warnings());
    }

    /** Returns true if a YAML document is empty. */
    private static boolean isNothing(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NULL
                || (parser.currentToken() == JsonToken.VALUE_STRING
                        && parser.getText().isEmpty());
    }

    private void document(JsonParser parser) throws IOException, SourceProblem {
        int line = parser.currentTokenLocation().getLineNr();
        ClusterObject document = decoder.decode(parser, this::item);
        String kind = document.kind();
        if (LISTS.contains(kind) && !document.itemsProblem().isEmpty()) {
            throw new SourceProblem(", line " + line + ": the " + kind + " that begins here is broken, as "
                    + document.itemsProblem() + "; " + HOW_TO_WRITE_ONE);
        }
        switch (kind) {
            case "" ->
                throw new SourceProblem(", line " + line + ": the document that begins here has no kind; kubectl"
                        + " writes it last, so the file may be cut short; " + HOW_TO_WRITE_ONE);
            case "List" -> {
                nodesListed = true;
                withoutKind.forEach(_ -> count("object without kind"));
            }
            case "NodeList" -> {
                nodesListed = true;
                withoutKind.forEach(item -> node(item.asNode()));
            }
            case "PodList" -> withoutKind.forEach(item -> pod(item.asPod()));
            default -> other(document);
        }
        withoutKind.clear();
    }

    /** Handles a document that is a single object, or a list of another kind such as ServiceList. */
    private void other(ClusterObject document) {
        if (document.kind().endsWith("List")) {
            withoutKind.forEach(_ -> count("item of a " + document.kind()));
            if (!withoutKind.isEmpty()) {
                devices.takesUnread(document.kind().substring(0, document.kind().length() - "List".length()));
            }
        } else {
            add(document);
        }
    }

    private void item(ClusterObject item) {
        if (item.kind().isEmpty()) {
            withoutKind.add(item);
        } else {
            add(item);
        }
    }

    private void add(ClusterObject object) {
        if (object.kind().equals("Pod")) {
            pod(object.asPod());
        } else if (object.kind().equals("LimitRange")) {
            limitRange(object.asLimitRange());
        } else if (devices.takes(object)) {
            count(object.kind());
        } else {
            node(object.asNode());
        }
    }

    private void node(DecodeResult<Node> decoded) {
        valueOf(decoded, unreadNodes, nodeWarnings).ifPresent(node -> {
            if (nodes.put(node.name(), node) != null) {
                nodeWarnings.add(duplicate("node " + node.name()));
            }
        });
    }

    private void pod(DecodeResult<Pod> decoded) {
        count("Pod");
        if (decoded instanceof DecodeResult.Ended<Pod> gone) {
            ended(PodStateDecoder.removal(gone.object()));
        }
        valueOf(decoded, unreadPods, podWarnings).ifPresent(pod -> {
            boolean hadEnded = ended.remove(pod.id()) != null;
            if (pods.put(pod.id(), pod) != null || hadEnded) {
                podWarnings.add(duplicate("pod " + pod.name()));
            }
        });
    }

    private void limitRange(DecodeResult<StoredObject<List<LimitRangeRule>>> decoded) {
        count("LimitRange");
        if (decoded instanceof DecodeResult.Found<StoredObject<List<LimitRangeRule>>>(String _, var found)) {
            limitRanges.put(found.meta().fullName(), found.value());
        }
        if (decoded instanceof DecodeResult.Malformed<StoredObject<List<LimitRangeRule>>> malformed) {
            limitRangeWarnings.add(malformed.problem());
        }
    }

    /**
     * Handles a pod in a terminal phase. It uses no resources, but if it has a stamp, there may still be a reservation
     * for it.
     */
    private void ended(PodEvent.PodRemoved pod) {
        if (pods.remove(pod.id()) != null) {
            podWarnings.add(duplicate("pod " + pod.name()));
        }
        if (!pod.stamp().isEmpty()) {
            ended.put(pod.id(), pod);
        }
    }

    private <T> Optional<T> valueOf(DecodeResult<T> decoded, List<String> unread, List<String> warnings) {
        switch (decoded) {
            case DecodeResult.Found<T> found -> {
                return Optional.of(found.value());
            }
            case DecodeResult.Ended<T> _ -> {}
            case DecodeResult.OtherKind<T> other -> count(other.kind());
            case DecodeResult.Malformed<T> malformed -> {
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
                .flatMap(List::stream)
                .toList();
    }

    private void count(String kind) {
        otherKinds.merge(kind, 1, Integer::sum);
    }

    /** Returns true for an empty list, which kubectl writes if the cluster has no nodes and no pods. */
    private boolean isOfClusterWithoutNodes() {
        return nodesListed && nodeWarnings.isEmpty() && otherKinds.isEmpty();
    }

    private String whyNoNodes() {
        if (documents == 0) {
            return " is empty; " + HOW_TO_WRITE_ONE;
        }
        if (!nodeWarnings.isEmpty()) {
            return " holds no usable node; " + nodeWarnings.getFirst();
        }
        if (otherKinds.isEmpty()) {
            return " holds no Node; " + HOW_TO_WRITE_ONE;
        }
        String held = otherKinds.entrySet().stream()
                .map(kind -> kind.getValue() + " × " + kind.getKey())
                .collect(Collectors.joining(", "));
        return " holds no Node, only " + held + "; " + HOW_TO_WRITE_ONE;
    }
}
