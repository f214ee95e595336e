package dev.sluice.cluster;

import dev.sluice.text.TextWeight;
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
 * The constraints that say on which nodes a pod may run: its {@code nodeName}, {@code nodeSelector}, required node
 * affinity and tolerations.
 *
 * <p>Users can write pods with constraints of any size, so {@link #LARGEST} and {@link #MOST_PARTS} limit the size. If
 * the constraints of a pod exceed a limit, constraints that allow no node replace them. {@link #whyNotEvaluated()} then
 * names the limit.
 */
public final class NodeConstraints {

    /**
     * The maximum {@link #weight()} in bytes. Within this limit, a pod can name a thousand nodes, even if each name has
     * the maximum length of a label value.
     */
    public static final long LARGEST = 128 * 1024;

    /**
     * The maximum number of entries in the selector, terms, requirements and tolerations together. Each entry is
     * evaluated once per node in about 20 ns, so 5,000 different nodes take at most about 25 ms. Ordinary pods have
     * fewer than twenty entries.
     */
    public static final int MOST_PARTS = 256;

    /** The number of entries above which it is faster to cache the result for a node than to evaluate it again. */
    private static final int MANY_PARTS = 16;

    /** The label that contains the hostname of a node. The kubelet sets it. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    public static final NodeConstraints NONE = new NodeConstraints(null, Map.of(), null, List.of());

    private final @Nullable String nodeName;
    private final Map<String, String> nodeSelector;
    private final @Nullable List<NodeSelectorTerm> requiredTerms;
    private final List<Toleration> tolerations;
    private final @Nullable String notEvaluated;
    private final long weight;
    private final int parts;
    /** The hash code. It is calculated only once, because constraints are keys of maps and can be long. */
    private final int hash;

    /**
     * @param requiredTerms the terms of the required node affinity; null if there is no required node affinity. An
     *     empty list matches no node.
     */
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

    /** Returns constraints that allow only this node. They ignore labels and taints. */
    public static NodeConstraints onNode(String name) {
        return new NodeConstraints(name, Map.of(), null, List.of(Toleration.EVERYTHING));
    }

    /**
     * Returns constraints that allow no node. They replace constraints that exceed a limit.
     *
     * @param why the limit, as text
     */
    public static NodeConstraints notEvaluated(@Nullable String nodeName, String why) {
        return new NodeConstraints(nodeName, Map.of(), List.of(), List.of(), why);
    }

    /**
     * Returns the constraints of the pod after the resource {@code given} has replaced {@code asked}. If the pod
     * tolerates a taint with the key {@code asked}, the result also tolerates a taint with the key {@code given}. The
     * reason is the admission plugin ExtendedResourceToleration, which adds a toleration for each requested resource
     * and runs again after a patch.
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

    /** Returns the limit that the constraints exceed, as text; empty if they exceed no limit. */
    public Optional<String> whyNotEvaluated() {
        return Optional.ofNullable(notEvaluated);
    }

    public @Nullable String nodeName() {
        return nodeName;
    }

    public Map<String, String> nodeSelector() {
        return nodeSelector;
    }

    /**
     * Returns the labels in the selector and the required affinity as text, such as {@code a=b} and {@code c In [d]}.
     */
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

    /**
     * Returns the reason why the pod can never use this node; empty if there is none. Cordons and temporary taints are
     * ignored, because they end. For a pod with a {@code nodeName}, only taints with the effect NoExecute count: the
     * kubelet checks only these taints, and the scheduler does not handle the pod.
     */
    public Optional<PodNodeMismatch> lastingRefusal(Node node) {
        if (nodeName != null && !nodeName.equals(node.name())) {
            return Optional.of(new PodNodeMismatch.OtherNode(nodeName));
        }
        Optional<PodNodeMismatch> byLabels = labelRefusal(node);
        if (byLabels.isPresent()) {
            return byLabels;
        }
        return taintRefusal(
                node.taints(),
                nodeName == null
                        ? taint -> !taint.isTemporary()
                        : taint -> taint.effect() == Taint.Effect.NO_EXECUTE && !taint.isTemporary());
    }

    /**
     * Returns the reason why the pod cannot be placed on this node now; empty if there is none. Cordons and all taints
     * count. They do not count for a pod with a {@code nodeName}, because the scheduler does not handle such a pod.
     */
    public Optional<PodNodeMismatch> presentRefusal(Node node) {
        if (nodeName != null) {
            return nodeName.equals(node.name())
                    ? Optional.empty()
                    : Optional.of(new PodNodeMismatch.OtherNode(nodeName));
        }
        return cordonRefusal(node).or(() -> labelRefusal(node)).or(() -> taintRefusal(node.taints(), _ -> true));
    }

    /** Calls the action with each reason why the scheduler would not place the pod on this node now. */
    public void forEachRefusal(Node node, Consumer<PodNodeMismatch> action) {
        cordonRefusal(node).ifPresent(action);
        selectorRefusal(node).ifPresent(action);
        affinityRefusal(node).ifPresent(action);
        for (Taint taint : node.taints()) {
            if (keepsOff(taint)) {
                action.accept(new PodNodeMismatch.Untolerated(taint));
            }
        }
    }

    /**
     * Returns true if {@code counts} accepts at least one reason why the scheduler would not place the pod on this node
     * now.
     */
    public boolean isRefused(Node node, Predicate<PodNodeMismatch> counts) {
        boolean[] refused = new boolean[1];
        forEachRefusal(node, refusal -> refused[0] |= counts.test(refusal));
        return refused[0];
    }

    private Optional<PodNodeMismatch> labelRefusal(Node node) {
        Optional<PodNodeMismatch> bySelector = selectorRefusal(node);
        return bySelector.isPresent() ? bySelector : affinityRefusal(node);
    }

    private Optional<PodNodeMismatch> cordonRefusal(Node node) {
        return node.unschedulable() && !tolerates(Taint.UNSCHEDULABLE)
                ? Optional.of(new PodNodeMismatch.Cordoned())
                : Optional.empty();
    }

    private Optional<PodNodeMismatch> selectorRefusal(Node node) {
        if (nodeSelector.isEmpty()) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> wanted : nodeSelector.entrySet()) {
            if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
                return Optional.of(new PodNodeMismatch.SelectorMismatch(wanted.getKey(), wanted.getValue()));
            }
        }
        return Optional.empty();
    }

    private Optional<PodNodeMismatch> affinityRefusal(Node node) {
        if (requiredTerms == null) {
            return Optional.empty();
        }
        for (NodeSelectorTerm term : requiredTerms) {
            if (term.matches(node.name(), node.labels())) {
                return Optional.empty();
            }
        }
        return Optional.of(new PodNodeMismatch.AffinityMismatch());
    }

    private Optional<PodNodeMismatch> taintRefusal(List<Taint> taints, Predicate<Taint> counts) {
        for (Taint taint : taints) {
            if (counts.test(taint) && keepsOff(taint)) {
                return Optional.of(new PodNodeMismatch.Untolerated(taint));
            }
        }
        return Optional.empty();
    }

    private boolean keepsOff(Taint taint) {
        return taint.keepsPodsOff() && !tolerates(taint);
    }

    /** Returns true if the constraints depend on the taints of a node only, not on its name or labels. */
    public boolean dependsOnTaintsOnly() {
        return nodeName == null && nodeSelector.isEmpty() && requiredTerms == null;
    }

    /** Returns true if the pod tolerates all of these taints. Temporary taints are ignored. */
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

    /** Returns the approximate memory in bytes. */
    public long weight() {
        return weight;
    }

    /**
     * Returns the number of entries in the selector, terms, requirements and tolerations. The time to evaluate one node
     * is proportional to this number.
     */
    public int parts() {
        return parts;
    }

    /** Returns true if there are so many entries that the result for a node should be cached. */
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

    /**
     * Returns the terms of the required node affinity. The list is empty if there is no required node affinity, or if
     * the affinity has no terms.
     */
    public List<NodeSelectorTerm> terms() {
        return requiredTerms == null ? List.of() : requiredTerms;
    }

    /**
     * Returns the terms of the required node affinity. Returns empty if there is no required node affinity. The list is
     * empty if the affinity has no terms and therefore matches no node.
     */
    public Optional<List<NodeSelectorTerm>> requiredTerms() {
        return Optional.ofNullable(requiredTerms);
    }

    private long weighed() {
        long weight = nodeName == null ? 0 : nodeName.length();
        for (Map.Entry<String, String> label : nodeSelector.entrySet()) {
            weight += TextWeight.of(label.getKey(), label.getValue());
        }
        for (NodeSelectorTerm term : terms()) {
            weight += term.weight();
        }
        for (Toleration toleration : tolerations) {
            weight += TextWeight.of(toleration.key(), toleration.value(), toleration.effect());
        }
        return weight;
    }

    /**
     * Returns the name of the only node that the pod can use, from {@code nodeName} or from the required node affinity.
     * Returns empty if neither of them restricts the pod to one node.
     */
    public Optional<String> onlyNode() {
        if (nodeName != null) {
            return Optional.of(nodeName);
        }
        return requiredTerms != null && requiredTerms.size() == 1
                ? requiredTerms.getFirst().onlyNode()
                : Optional.empty();
    }

    /**
     * Returns the hostname that a node must have, according to {@link #wantedLabels}. Returns empty if the pod requires
     * no hostname.
     */
    public Optional<String> onlyHostname() {
        return Optional.ofNullable(wantedLabels().get(HOSTNAME));
    }

    /**
     * Returns labels that a node must have. They come from the node selector and from the required node affinity, if
     * the affinity has a single term. The pod may have further constraints.
     */
    public Map<String, String> wantedLabels() {
        if (requiredTerms == null || requiredTerms.size() != 1) {
            return nodeSelector;
        }
        Map<String, String> wanted = requiredTerms.getFirst().wantedLabels();
        wanted.putAll(nodeSelector);
        return wanted;
    }

    /**
     * Returns true if the constraints depend on the name of a node or on a label with one of these keys. Nodes that
     * differ only in the name and in these labels then have to be evaluated one by one.
     */
    public boolean readsNameOr(Set<String> keys) {
        // A decision calls this method for each candidate, and most pods select no label, so it creates no stream.
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
