package dev.sluice.injection;

import dev.sluice.injection.Injection.Refusal;
import dev.sluice.injection.Injection.Wanted;
import dev.sluice.injection.rule.InjectionRules;
import dev.sluice.injection.rule.RuleInUse;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the rule for a pod and reckons what it gives. What it gives depends on nothing that it writes, so that giving
 * it twice is giving it once.
 */
public record Injector(InjectionRules rules, UserValues userValues) {

    public static final Injector NONE = new Injector(InjectionRules.NONE, UserValues.OVERWRITTEN);

    /** What becomes of cpu, memory and the like that the user gave a GPU container. */
    public enum UserValues {
        /** The rule's take their place. */
        OVERWRITTEN,
        /** They stay; only what LimitRanger filled in is replaced. */
        KEPT
    }

    /** What the pod is given beside its GPUs. */
    public Injection inject(PodResources pod) {
        List<Wanted> named = named(pod);
        if (named.isEmpty()) {
            return new Injection.NothingInjected();
        }
        List<Wanted> wanted =
                named.stream().filter(one -> isAsked(pod, one.resource())).toList();
        if (wanted.isEmpty()) {
            return new Injection.Refused(new Refusal.ZeroGpus(pod.type(), named.getFirst()));
        }
        if (wanted.size() > 1) {
            return new Injection.Refused(new Refusal.DifferentResources(pod.type(), wanted));
        }
        Optional<RuleInUse> use =
                rules.rule(pod.namespace(), pod.type(), wanted.getFirst().resource());
        return use.<Injection>map(found -> new InjectionCalculator(pod, found, userValues).injection())
                .orElseGet(Injection.NothingInjected::new);
    }

    /** Of the resources that rules speak of, those that main containers name, be it 0 times. */
    private List<Wanted> named(PodResources pod) {
        List<Wanted> named = new ArrayList<>();
        for (ResourceName key : rules.keys(pod.namespace(), pod.type())) {
            List<String> containers = InjectionCalculator.mainContainers(pod)
                    .filter(container -> container.names(key))
                    .map(PodResources.Container::name)
                    .toList();
            if (!containers.isEmpty()) {
                named.add(new Wanted(key, containers));
            }
        }
        return named;
    }

    private static boolean isAsked(PodResources pod, ResourceName resource) {
        return InjectionCalculator.mainContainers(pod).anyMatch(container -> container.has(resource));
    }
}
