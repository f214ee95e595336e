package dev.sluice.doctor;

import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An owner that has fewer pods than it wants.
 *
 * @param kind as in the API
 * @param facts null for an owner that is known by its events alone
 * @param failure what it said last about a pod that it could not create; empty where nothing is known
 * @param times how often it said so; 0 where that is unknown
 */
record OwnerState(
        String kind,
        String namespace,
        String name,
        @Nullable OwnerFacts facts,
        Optional<Message> failure,
        long times) {

    /** The template, where it is known. */
    public Optional<PodGpuDemand> template() {
        return Optional.ofNullable(facts).map(OwnerFacts::template);
    }

    String says(String sentence) {
        return " The " + kind + " says: \"" + sentence + "\".";
    }

    public String fullName() {
        return namespace + "/" + name;
    }
}
