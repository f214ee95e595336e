package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeRequirement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the constraints of a pod on other pods: inter-pod affinity, inter-pod anti-affinity and topology spread.
 *
 * @param near the required terms of pod affinity
 * @param apart the required terms of pod anti-affinity
 * @param exact false if a constraint is missing here, because it cannot be evaluated with the collected objects; the
 *     diagnosis then relies on the scheduler's message
 */
public record PodAffinityFacts(List<PeerTerm> near, List<PeerTerm> apart, List<Spread> spread, boolean exact) {

    public static final PodAffinityFacts NONE =
            new PodAffinityFacts(List.of(), List.of(), List.of(), /* exact= */ true);

    public boolean isEmpty() {
        return near.isEmpty() && apart.isEmpty() && spread.isEmpty() && exact;
    }

    /** Selects pods by their labels. A query without requirements selects every pod. */
    public record LabelQuery(List<NodeRequirement> requirements) {
        public LabelQuery {
            requirements = List.copyOf(requirements);
        }

        public boolean matches(Map<String, String> labels) {
            return requirements.stream().allMatch(requirement -> requirement.matches(labels));
        }
    }

    /**
     * Describes a required term of pod affinity or anti-affinity.
     *
     * @param namespaces the namespaces that the term applies to; empty for all namespaces
     */
    public record PeerTerm(LabelQuery query, Set<String> namespaces, String topologyKey) {
        public boolean matches(String namespace, Map<String, String> labels) {
            return (namespaces.isEmpty() || namespaces.contains(namespace)) && query.matches(labels);
        }
    }

    /**
     * Describes a topology spread constraint with {@code whenUnsatisfiable: DoNotSchedule}.
     *
     * @param minDomains the value of minDomains, or 1 if the constraint does not set it
     */
    public record Spread(
            LabelQuery query,
            String topologyKey,
            long maxSkew,
            long minDomains,
            boolean honoursAffinity,
            boolean honoursTaints) {}
}
