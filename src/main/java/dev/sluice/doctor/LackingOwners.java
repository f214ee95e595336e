package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds owners that have fewer pods than they should have, and suspended Jobs. Also finds owners that were not
 * collected, by their events about a pod that cannot be created.
 */
final class LackingOwners {

    /**
     * Matches FailedCreate, and the reasons that operators use instead, for example FailedCreatePod and
     * FailedToCreateWorkerPod.
     */
    private static final Pattern REASON = Pattern.compile("Fail(ed|ure)?(To)?Creat.*", Pattern.CASE_INSENSITIVE);

    /**
     * The reason of Argo's events about a step that ended with an error. If such an event quotes a refusal of the API
     * server, the pod of the step could not be created.
     */
    private static final String STEP_ERROR = "WorkflowNodeError";

    private static final Pattern REFUSED = Pattern.compile("pods \"[^\"]+\" is forbidden: ");

    private static final Pattern POD_NAME = Pattern.compile("pods? \"([^\"]+)\"", Pattern.CASE_INSENSITIVE);

    record OwnerKey(String kind, String namespace, String name) implements Comparable<OwnerKey> {

        private static final Comparator<OwnerKey> ORDER = Comparator.comparing(OwnerKey::name)
                .thenComparing(OwnerKey::namespace)
                .thenComparing(OwnerKey::kind);

        /**
         * Orders the keys, so that a hash table can find one of many keys with equal hashes without comparing all of
         * them.
         */
        @Override
        public int compareTo(OwnerKey other) {
            return ORDER.compare(this, other);
        }
    }

    private final ClusterFacts cluster;
    private final Map<OwnerKey, EventFacts> newest = new HashMap<>();
    private final Map<OwnerKey, List<PodFacts>> pods = new HashMap<>();
    /** Holds the pods of each owner that are being deleted. */
    private final Map<OwnerKey, List<PodFacts>> leaving = new HashMap<>();

    private final Set<String> podNames = new HashSet<>();

    LackingOwners(ClusterFacts cluster) {
        this.cluster = cluster;
        cluster.events().stream()
                .filter(event -> !event.kind().equals("Pod") && isFailedCreation(event))
                .forEach(event -> newest.merge(
                        new OwnerKey(event.kind(), event.namespace(), event.name()), event, EventFacts::later));
        for (PodFacts pod : cluster.pods()) {
            podNames.add(pod.fullName());
            pod.owner()
                    .filter(_ -> !pod.hasEnded())
                    .ifPresent(owner -> (pod.state().terminating() ? leaving : pods)
                            .computeIfAbsent(
                                    new OwnerKey(owner.kind(), pod.namespace(), owner.name()), _ -> new ArrayList<>())
                            .add(pod));
        }
    }

    private static boolean isFailedCreation(EventFacts event) {
        return REASON.matcher(event.reason()).matches()
                || (event.reason().equals(STEP_ERROR)
                        && REFUSED.matcher(event.text()).find());
    }

    /** Returns all owners that lack pods or are suspended, sorted by namespace, kind and name. */
    List<DiagnosedOwner> all() {
        List<DiagnosedOwner> all = new ArrayList<>();
        for (OwnerFacts owner : cluster.owners()) {
            if (owner.suspended() || lacksPods(owner)) {
                Optional<Message> failure = failure(owner);
                all.add(new DiagnosedOwner(
                        owner.kind(),
                        owner.namespace(),
                        owner.name(),
                        owner,
                        failure,
                        times(key(owner), failure),
                        leaving(owner)));
            }
        }
        newest.forEach((key, event) -> {
            if (standsForItsOwner(key, event)) {
                Optional<Message> failure = Optional.of(message(event));
                all.add(new DiagnosedOwner(
                        key.kind(), key.namespace(), key.name(), null, failure, times(key, failure), List.of()));
            }
        });
        all.sort(Comparator.comparing(DiagnosedOwner::namespace)
                .thenComparing(DiagnosedOwner::kind)
                .thenComparing(DiagnosedOwner::name));
        return all;
    }

    /**
     * Returns how often the message {@code failure} was reported. Returns 0 if the owner's newest event does not
     * contain this message.
     */
    private long times(OwnerKey key, Optional<Message> failure) {
        EventFacts event = newest.get(key);
        return event != null
                        && failure.filter(said -> said.text().equals(event.text()))
                                .isPresent()
                ? event.count()
                : 0;
    }

    private boolean lacksPods(OwnerFacts owner) {
        List<PodFacts> own = pods.getOrDefault(key(owner), List.of()).stream()
                .filter(pod -> isOf(pod, owner))
                .toList();
        boolean waitsForItsTurn = owner.ordered()
                && own.stream().anyMatch(pod -> !pod.state().ready())
                && failure(owner)
                        .filter(said -> !wasCreatedSince(owner.namespace(), said.text()))
                        .isEmpty();
        return owner.wanted() > Math.max(own.size(), reported(owner)) && !waitsForItsTurn;
    }

    /**
     * Returns the number of pods that the owner reports. For a StatefulSet, terminating pods are subtracted, because it
     * waits for their end.
     */
    private long reported(OwnerFacts owner) {
        return owner.reported()
                - (owner.kind().equals("StatefulSet") ? leaving(owner).size() : 0);
    }

    /**
     * Returns the terminating pods that have to end before the owner creates others. A ReplicaSet does not wait for any
     * pods. A Job waits only if its podReplacementPolicy says so.
     */
    private List<PodFacts> leaving(OwnerFacts owner) {
        return owner.kind().equals("ReplicaSet")
                ? List.of()
                : leaving.getOrDefault(key(owner), List.of()).stream()
                        .filter(pod -> isOf(pod, owner))
                        .toList();
    }

    private static boolean isOf(PodFacts pod, OwnerFacts owner) {
        return pod.owner().filter(it -> sameUid(it.uid(), owner.uid())).isPresent();
    }

    private static boolean sameUid(String one, String other) {
        return one.isEmpty() || other.isEmpty() || one.equals(other);
    }

    private static OwnerKey key(OwnerFacts owner) {
        return new OwnerKey(owner.kind(), owner.namespace(), owner.name());
    }

    /**
     * Returns the message about a pod that could not be created; empty if there is none. A recent event about a quota
     * or a missing limit comes first. The condition ReplicaFailure comes second, at any age, because it exists as long
     * as the failure does. Any other recent event comes last. Only the owner's newest event counts.
     */
    private Optional<Message> failure(OwnerFacts owner) {
        Optional<Message> said = Optional.ofNullable(newest.get(key(owner)))
                .filter(event -> sameUid(event.uid(), owner.uid()))
                .filter(event -> cluster.isFresh(event.time()))
                .map(LackingOwners::message);
        return said.filter(message -> QuotaRule.isBlamedBy(message.text()) || MissingLimitRule.isAbout(message.text()))
                .or(() -> Optional.ofNullable(owner.failure()))
                .or(() -> said);
    }

    private static Message message(EventFacts event) {
        return new Message(event.reason(), event.text(), event.time());
    }

    /**
     * Returns true if the event is sufficient to report an owner that was not collected. The event must be recent, and
     * the pod that it names must not exist now. In addition, the owner's kind must not have been collected: otherwise
     * the owner is missing because it was deleted.
     */
    private boolean standsForItsOwner(OwnerKey key, EventFacts event) {
        boolean collected = ClusterFactKind.of(key.kind(), event.apiVersion())
                .filter(cluster::has)
                .isPresent();
        return !collected && cluster.isFresh(event.time()) && !wasCreatedSince(event.namespace(), event.text());
    }

    /** Returns true if the message names a pod that exists now. That pod was created after the failure. */
    private boolean wasCreatedSince(String namespace, String said) {
        Matcher name = POD_NAME.matcher(said);
        return name.find() && podNames.contains(namespace + "/" + name.group(1));
    }
}
