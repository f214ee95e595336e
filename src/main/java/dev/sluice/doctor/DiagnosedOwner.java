package dev.sluice.doctor;

import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes an owner, such as a ReplicaSet, that has fewer pods than it should have.
 *
 * @param kind the kind as in the API, for example {@code ReplicaSet}
 * @param facts the facts about the owner; null if the owner is known only from its events
 * @param failure the owner's newest message about a pod that could not be created; empty if there is none
 * @param times the number of times that this message was reported; 0 if unknown
 * @param leaving the terminating pods that have to end before the owner creates others
 */
record DiagnosedOwner(
        String kind,
        String namespace,
        String name,
        @Nullable OwnerFacts facts,
        Optional<Message> failure,
        long times,
        List<PodFacts> leaving) {

    /** Returns the pod template; empty if the owner is known only from its events. */
    public Optional<PodDemandFacts> template() {
        return Optional.ofNullable(facts).map(OwnerFacts::template);
    }

    String says(String sentence) {
        return " The " + kind + " says: \"" + sentence + "\".";
    }

    public String fullName() {
        return namespace + "/" + name;
    }
}
