package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Determines the priorities of pod templates, and of pods whose spec has no priority, from their PriorityClasses. */
final class FactPriorities {

    private final Map<String, Long> values = new HashMap<>();
    /** The priority of the default PriorityClass; null if no class is the default. */
    private @Nullable Long byDefault;

    void add(String name, long value, boolean globalDefault) {
        values.put(name, value);
        byDefault = globalDefault ? Long.valueOf(value) : byDefault;
    }

    void clear() {
        values.clear();
        byDefault = null;
    }

    void addAll(FactPriorities others) {
        values.putAll(others.values);
        byDefault = others.byDefault == null ? byDefault : others.byDefault;
    }

    PodFacts resolve(PodFacts pod) {
        PodDemandFacts ask = resolved(pod.ask());
        return ask.priority() == pod.ask().priority()
                ? pod
                : new PodFacts(
                        pod.name(),
                        pod.uid(),
                        ask,
                        pod.owner(),
                        pod.nodeName(),
                        pod.nominatedNode(),
                        pod.state(),
                        pod.schedulers(),
                        pod.unscheduled(),
                        pod.image(),
                        pod.runtimeClass(),
                        pod.volumeClaims());
    }

    OwnerFacts resolve(OwnerFacts owner) {
        PodDemandFacts ask = resolved(owner.template());
        return ask.priority() == owner.template().priority()
                ? owner
                : new OwnerFacts(
                        owner.kind(),
                        owner.name(),
                        owner.uid(),
                        owner.wanted(),
                        owner.reported(),
                        owner.ordered(),
                        owner.suspended(),
                        owner.queue(),
                        ask,
                        owner.failure());
    }

    private PodDemandFacts resolved(PodDemandFacts ask) {
        long otherwise = byDefault == null ? 0 : byDefault;
        long value = ask.priorityClass().isEmpty() ? otherwise : values.getOrDefault(ask.priorityClass(), otherwise);
        return ask.priority() == PodDemandFacts.UNKNOWN_PRIORITY ? ask.withPriority(value) : ask;
    }
}
