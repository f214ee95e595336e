package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Weigher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod may run: its {@code nodeName}, {@code nodeSelector}, required node affinity and tolerations.
 *
 * <p>Anybody who may create pods writes them, so {@link #LARGEST} and {@link #MOST_PARTS} limit what is evaluated.
 * While they are read, constraints beyond a limit are replaced by a value that admits no node and says
 * {@link #whyNotEvaluated() why}.
 */
public final class NodeConstraints {

    /** The maximum {@link #weight()}: a thousand nodes can be named by label values of maximum length. */
    public static final long LARGEST = 128 * 1024;

    /**
     * The maximum number of entries in the selector, terms, requirements and tolerations together. Each is evaluated
     * once for each node in about 20 ns, so that 5,000 different nodes take about 25 ms at most. Pods have fewer than
     * twenty.
     */
    public static final int MOST_PARTS = 256;

    /** Above this number it is cheaper to cache the result for a node than to evaluate it again. */
    private static final int MANY_PARTS = 16;

    /** The label that kubelet sets to its hostname. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    public static final NodeConstraints NONE = new NodeConstraints(null, Map.of(), null, List.of());

    private final @Nullable String nodeName;
    private final Map<String, String> nodeSelector;
    private final @Nullable List<NodeSelectorTerm> requiredTerms;
    private final List<Toleration> tolerations;
    private final @Nullable String notEvaluated;
    private final long weight;
    private final int parts;
    /** Cached: constraints are keys of maps, and can be long. */
    private final int hash;

    /** @param requiredTerms null without required node affinity; an empty list matches no node */
    public NodeConstraints(
            @Nullable String nodeName,
            Map<String, String> nodeSelector,
            @Nullable List<NodeSelectorTerm> requiredTerms,
            List<Toleration> tolerations) {
        this(nodeName, nodeSelector, requiredTerms, tolerations, null);
    }

    private NodeConstraints(
            @Nullable String nodeName,
            Map<String, String> nodeSelector,
            @Nullable List<NodeSelectorTerm> requiredTerms,
            List<Toleration> tolerations,
            @Nullable String notEvaluated) {
        this.nodeName = nodeName;
        this.nodeSelector = Map.copyOf(nodeSelector);
        this.requiredTerms = requiredTerms == null ? null : List.copyOf(requiredTerms);
        this.tolerations = List.copyOf(tolerations);
        this.notEvaluated = notEvaluated;
        this.weight = weighed();
        this.parts = counted();
        this.hash = Objects.hash(nodeName, this.nodeSelector, this.requiredTerms, this.tolerations, notEvaluated);
    }

    /** Admits this node only, whatever its labels and taints. */
    public static NodeConstraints onNode(String name) {
        return new NodeConstraints(name, Map.of(), null, List.of(Toleration.EVERYTHING));
    }

    /** Constraints beyond a limit. */
    public static NodeConstraints notEvaluated(@Nullable String nodeName, String why) {
        return new NodeConstraints(nodeName, Map.of(), List.of(), List.of(), why);
    }

    /**
     * The same for a pod that is given one resource instead of another. Where the plugin ExtendedResourceToleration is
     * on, it tolerates the taint whose key is the name of a resource for whoever asks for it, and again after a patch.
     * A pod with such a toleration for what it asked is going to have it for what it is given.
     */
    public NodeConstraints tolerating(String asked, String given) {
        if (tolerations.isEmpty() || asked.equals(given)) {
            return this;
        }
        for (Toleration toleration : tolerations) {
            if (toleration.key().equals(asked) && toleration.operator() == Toleration.TolerationOperator.EXISTS) {
                List<Toleration> more = new ArrayList<>(tolerations);
                more.add(new Toleration(given, Toleration.TolerationOperator.EXISTS, "", toleration.effect()));
                return new NodeConstraints(nodeName, nodeSelector, requiredTerms, more, notEvaluated);
            }
        }
        return this;
    }

    /** The limit that they exceed, in words; empty for evaluated constraints. */
    public Optional<String> whyNotEvaluated() {
        return Optional.ofNullable(notEvaluated);
    }

    public @Nullable String nodeName() {
        return nodeName;
    }

    public Map<String, String> nodeSelector() {
        return nodeSelector;
    }

    /** The labels that the selector and the required affinity speak of, as in {@code a=b} and {@code c In [d]}. */
    public List<String> labelsAsked() {
        Stream<String> affinity = requiredTerms == null
                ? Stream.of()
                : requiredTerms.stream()
                        .flatMap(term -> term.matchExpressions().stream())
                        .map(NodeRequirement::text);
        return Stream.concat(
                        nodeSelector.entrySet().stream()
                                .map(label -> label.getKey() + "=" + label.getValue())
                                .sorted(),
                        affinity)
                .distinct()
                .toList();
    }

    public List<Toleration> tolerations() {
        return tolerations;
    }

    /** Why the pod can never use this node; cordons and temporary taints do not count. */
    public Optional<NodeRefusal> lastingRefusal(Node node) {
        if (nodeName != null && !nodeName.equals(node.name())) {
            return Optional.of(new NodeRefusal.OtherNode(nodeName));
        }
        Optional<NodeRefusal> byLabels = labelRefusal(node);
        return byLabels.isPresent() ? byLabels : taintRefusal(node.taints(), taint -> !taint.isTemporary());
    }

    /**
     * Why the scheduler would not place the pod on this node now: cordons and every taint count. The scheduler ignores
     * a pod that sets its nodeName, so none of them stops it.
     */
    public Optional<NodeRefusal> presentRefusal(Node node) {
        if (nodeName != null) {
            return nodeName.equals(node.name()) ? Optional.empty() : Optional.of(new NodeRefusal.OtherNode(nodeName));
        }
        return cordonRefusal(node).or(() -> labelRefusal(node)).or(() -> taintRefusal(node.taints(), _ -> true));
    }

    /** All that keeps the scheduler from placing the pod on this node now, where the other methods end at the first. */
    public void forEachRefusal(Node node, Consumer<NodeRefusal> action) {
        cordonRefusal(node).ifPresent(action);
        selectorRefusal(node).ifPresent(action);
        affinityRefusal(node).ifPresent(action);
        for (Taint taint : node.taints()) {
            if (keepsOff(taint)) {
                action.accept(new NodeRefusal.Untolerated(taint));
            }
        }
    }

    /** True when one of {@link #forEachRefusal} counts. */
    public boolean isRefused(Node node, Predicate<NodeRefusal> counts) {
        boolean[] refused = new boolean[1];
        forEachRefusal(node, refusal -> refused[0] |= counts.test(refusal));
        return refused[0];
    }

    private Optional<NodeRefusal> labelRefusal(Node node) {
        Optional<NodeRefusal> bySelector = selectorRefusal(node);
        return bySelector.isPresent() ? bySelector : affinityRefusal(node);
    }

    private Optional<NodeRefusal> cordonRefusal(Node node) {
        return node.unschedulable() && !tolerates(Taint.UNSCHEDULABLE)
                ? Optional.of(new NodeRefusal.Cordoned())
                : Optional.empty();
    }

    private Optional<NodeRefusal> selectorRefusal(Node node) {
        if (nodeSelector.isEmpty()) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> wanted : nodeSelector.entrySet()) {
            if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
                return Optional.of(new NodeRefusal.SelectorMismatch(wanted.getKey(), wanted.getValue()));
            }
        }
        return Optional.empty();
    }

    private Optional<NodeRefusal> affinityRefusal(Node node) {
        if (requiredTerms == null) {
            return Optional.empty();
        }
        for (NodeSelectorTerm term : requiredTerms) {
            if (term.matches(node.name(), node.labels())) {
                return Optional.empty();
            }
        }
        return Optional.of(new NodeRefusal.AffinityMismatch());
    }

    private Optional<NodeRefusal> taintRefusal(List<Taint> taints, Predicate<Taint> counts) {
        for (Taint taint : taints) {
            if (counts.test(taint) && keepsOff(taint)) {
                return Optional.of(new NodeRefusal.Untolerated(taint));
            }
        }
        return Optional.empty();
    }

    private boolean keepsOff(Taint taint) {
        return taint.keepsPodsOff() && !tolerates(taint);
    }

    /** True when neither the name nor the labels of a node matter. */
    public boolean mindsTaintsOnly() {
        return nodeName == null && nodeSelector.isEmpty() && requiredTerms == null;
    }

    /** True when the pod tolerates all of these taints that are not temporary. */
    public boolean toleratesLasting(List<Taint> taints) {
        return taintRefusal(taints, taint -> !taint.isTemporary()).isEmpty();
    }

    public boolean tolerates(Taint taint) {
        for (Toleration toleration : tolerations) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    /** The approximate memory in bytes. */
    public long weight() {
        return weight;
    }

    /** The number of entries in the selector, terms, requirements and tolerations: the cost of evaluating one node. */
    public int parts() {
        return parts;
    }

    /** True when the result for a node should be cached. */
    public boolean areMany() {
        return parts > MANY_PARTS;
    }

    private int counted() {
        int count = nodeSelector.size() + tolerations.size();
        for (NodeSelectorTerm term : terms()) {
            count += term.parts();
        }
        return count;
    }

    /** The terms of the required node affinity; empty without one, and where no node can match. */
    public List<NodeSelectorTerm> terms() {
        return requiredTerms == null ? List.of() : requiredTerms;
    }

    private long weighed() {
        long weight = nodeName == null ? 0 : nodeName.length();
        for (Map.Entry<String, String> label : nodeSelector.entrySet()) {
            weight += Weigher.of(label.getKey(), label.getValue());
        }
        for (NodeSelectorTerm term : terms()) {
            weight += term.weight();
        }
        for (Toleration toleration : tolerations) {
            weight += Weigher.of(toleration.key(), toleration.value(), toleration.effect());
        }
        return weight;
    }

    /** The only node that can match, where the pod names one by {@code nodeName} or by a field of its only term. */
    public Optional<String> onlyNode() {
        if (nodeName != null) {
            return Optional.of(nodeName);
        }
        return requiredTerms != null && requiredTerms.size() == 1
                ? requiredTerms.getFirst().onlyNode()
                : Optional.empty();
    }

    /** The hostname that nodes need to have by the selector or the only term. */
    public Optional<String> onlyHostname() {
        return Optional.ofNullable(wantedLabels().get(HOSTNAME));
    }

    /** Labels that nodes need to have by the selector or the only term; other constraints may exist besides. */
    public Map<String, String> wantedLabels() {
        if (requiredTerms == null || requiredTerms.size() != 1) {
            return nodeSelector;
        }
        Map<String, String> wanted = requiredTerms.getFirst().wantedLabels();
        wanted.putAll(nodeSelector);
        return wanted;
    }

    /** True when nodes that differ only in their name and in the labels of {@code keys} may be treated differently. */
    public boolean readsNameOr(Set<String> keys) {
        // A decision asks this for each candidate, and most pods name no label: no stream is made.
        boolean reads =
                nodeName != null || (!nodeSelector.isEmpty() && !Collections.disjoint(nodeSelector.keySet(), keys));
        for (NodeSelectorTerm term : terms()) {
            reads = reads || term.readsNameOr(keys);
        }
        return reads;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof NodeConstraints that
                        && hash == that.hash
                        && Objects.equals(nodeName, that.nodeName)
                        && nodeSelector.equals(that.nodeSelector)
                        && Objects.equals(requiredTerms, that.requiredTerms)
                        && tolerations.equals(that.tolerations)
                        && Objects.equals(notEvaluated, that.notEvaluated));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return notEvaluated != null
                ? "not evaluated: " + notEvaluated
                : "nodeName " + nodeName + ", nodeSelector " + nodeSelector + ", terms " + requiredTerms
                        + ", tolerations " + tolerations;
    }
}
