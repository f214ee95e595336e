package dev.sluice.factsfile;

import dev.sluice.diagnosis.facts.OwnerFacts;
import dev.sluice.diagnosis.facts.PodAsk;
import dev.sluice.diagnosis.facts.PodFacts;
import java.util.HashMap;
import java.util.Map;

/** Gives templates the priority that their class has; pods of the API server have it already. */
final class Priorities {

    private final Map<String, Long> values = new HashMap<>();
    private long byDefault;

    void add(String name, long value, boolean globalDefault) {
        values.put(name, value);
        byDefault = globalDefault ? value : byDefault;
    }

    void addAll(Priorities others) {
        values.putAll(others.values);
        byDefault = others.byDefault == 0 ? byDefault : others.byDefault;
    }

    PodFacts resolve(PodFacts pod) {
        PodAsk ask = resolved(pod.ask());
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
                        pod.image());
    }

    OwnerFacts resolve(OwnerFacts owner) {
        PodAsk ask = resolved(owner.template());
        return ask.priority() == owner.template().priority()
                ? owner
                : new OwnerFacts(
                        owner.kind(),
                        owner.name(),
                        owner.uid(),
                        owner.wanted(),
                        owner.reported(),
                        owner.ordered(),
                        ask,
                        owner.failure());
    }

    private PodAsk resolved(PodAsk ask) {
        long value = ask.priorityClass().isEmpty() ? byDefault : values.getOrDefault(ask.priorityClass(), byDefault);
        return ask.priority() != 0 || value == 0 ? ask : ask.withPriority(value);
    }
}
