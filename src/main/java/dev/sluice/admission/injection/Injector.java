package dev.sluice.admission.injection;

import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the injection rule for a pod and calculates the pod's resources. A second injection into the same pod changes
 * nothing.
 */
public record Injector(InjectionRules rules, UserValues userValues) {

    public static final Injector NONE = new Injector(InjectionRules.NONE, UserValues.OVERWRITTEN);

    /** Determines what happens to values, such as cpu and memory, that a user wrote into a GPU container. */
    public enum UserValues {
        /** The values of the rule replace the values of the user. */
        OVERWRITTEN,
        /**
         * The values of the user are kept. The values of the rule are used where a value is missing, or is a default
         * that LimitRanger filled in.
         */
        KEPT
    }

    /** Returns the resources to inject for the pod's GPUs, or the reason why nothing is injected. */
    public Injection inject(InjectionPodResources pod) {
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
        Optional<InjectionRules.RuleInUse> use =
                rules.rule(pod.namespace(), pod.type(), wanted.getFirst().resource());
        return use.<Injection>map(found -> new InjectionCalculator(pod, found, userValues).injection())
                .orElseGet(Injection.NothingInjected::new);
    }

    /**
     * Returns the GPU resources that main containers name and for which there is a rule. Resources with the amount 0
     * are included.
     */
    private List<Wanted> named(InjectionPodResources pod) {
        List<Wanted> named = new ArrayList<>();
        for (ResourceName key : rules.keys(pod.namespace(), pod.type())) {
            List<String> containers = InjectionCalculator.mainContainers(pod)
                    .filter(container -> container.names(key))
                    .map(InjectionPodResources.Container::name)
                    .toList();
            if (!containers.isEmpty()) {
                named.add(new Wanted(key, containers));
            }
        }
        return named;
    }

    private static boolean isAsked(InjectionPodResources pod, ResourceName resource) {
        return InjectionCalculator.mainContainers(pod).anyMatch(container -> container.has(resource));
    }
}
