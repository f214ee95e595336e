package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeRequirement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a pod requires of the pods near it.
 *
 * @param exact false where a part cannot be evaluated from a snapshot and is left out here, so that the scheduler's
 *     message decides about it
 */
public record Peers(List<PeerTerm> near, List<PeerTerm> apart, List<Spread> spread, boolean exact) {

    public static final Peers NONE = new Peers(List.of(), List.of(), List.of(), /* exact= */ true);

    public boolean isEmpty() {
        return near.isEmpty() && apart.isEmpty() && spread.isEmpty() && exact;
    }

    /** Labels that have to match; without requirements every pod does. */
    public record LabelQuery(List<NodeRequirement> requirements) {
        public LabelQuery {
            requirements = List.copyOf(requirements);
        }

        public boolean matches(Map<String, String> labels) {
            return requirements.stream().allMatch(requirement -> requirement.matches(labels));
        }
    }

    /**
     * A required term of pod affinity or anti-affinity.
     *
     * @param namespaces empty for all
     */
    public record PeerTerm(LabelQuery query, Set<String> namespaces, String topologyKey) {
        public boolean matches(String namespace, Map<String, String> labels) {
            return (namespaces.isEmpty() || namespaces.contains(namespace)) && query.matches(labels);
        }
    }

    /**
     * A topology spread constraint with {@code DoNotSchedule}.
     *
     * @param minDomains 1 where it is not given
     */
    public record Spread(
            LabelQuery query,
            String topologyKey,
            long maxSkew,
            long minDomains,
            boolean honoursAffinity,
            boolean honoursTaints) {}
}
