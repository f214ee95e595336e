package dev.sluice.admission.injection;

import dev.sluice.admission.injection.InjectionPodResources.Container;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Pods and rules in short. */
final class Pods {

    static final ResourceName GPU = ResourceName.NVIDIA_GPU;

    private Pods() {}

    /** {@code "cpu=1000m memory=2Gi"}. */
    static Map<ResourceName, Quantity> quantities(String text) {
        Map<ResourceName, Quantity> quantities = new LinkedHashMap<>();
        for (String pair : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            String[] parts = pair.split("=", 2);
            quantities.put(new ResourceName(parts[0]), quantity(parts[1]));
        }
        return quantities;
    }

    static Quantity quantity(String text) {
        return Quantity.parse(text).orElseThrow();
    }

    /** The same in requests and limits. */
    static Container main(String name, String both) {
        return container(PodContainerKind.MAIN, name, both);
    }

    static Container container(PodContainerKind kind, String name, String both) {
        return new Container(kind, name, quantities(both), quantities(both));
    }

    static InjectionPodResources pod(String type, Container... containers) {
        return new InjectionPodResources("team-a", type, List.of(containers), Set.of(), "");
    }

    /** {@code "cpu 4000 m"}. */
    static InjectionResourceRule rule(String text) {
        String[] parts = text.split(" ", -1);
        return new InjectionResourceRule(
                new ResourceName(parts[0]),
                InjectionCoefficient.parse(parts[1]).orElseThrow(),
                InjectionResourceRule.Unit.of(parts.length > 2 ? parts[2] : "").orElseThrow());
    }

    static InjectionRule rules(String... lines) {
        return new InjectionRule(List.of(lines).stream().map(Pods::rule).toList(), Map.of());
    }

    static InjectionRules.GpuTypes types(String type, Map<ResourceName, InjectionRule> rules) {
        return new InjectionRules.GpuTypes(Map.of(type, rules));
    }

    static Injector injector(InjectionRule rule) {
        return injector(types("V100", Map.of(GPU, rule)));
    }

    static Injector injector(InjectionRules.GpuTypes types) {
        return new Injector(new InjectionRules(types, Map.of(), Set.of()), Injector.UserValues.OVERWRITTEN);
    }

    /** The pod with what it is given written into it. */
    static InjectionPodResources given(InjectionPodResources pod, Injection.Injected given) {
        List<Container> containers = new ArrayList<>(pod.containers());
        for (Injection.Line line : given.lines()) {
            for (Injection.Portion portion : line.portions()) {
                Container before = containers.get(portion.container());
                Map<ResourceName, Quantity> limits = new HashMap<>(before.limits());
                Map<ResourceName, Quantity> requests = new HashMap<>(before.requests());
                limits.put(line.rule().name(), portion.limit());
                requests.put(line.rule().name(), portion.request());
                containers.set(portion.container(), new Container(before.kind(), before.name(), limits, requests));
            }
        }
        return new InjectionPodResources(pod.namespace(), pod.type(), containers, pod.podLevel(), pod.limitRanger());
    }

    /** What one container is given: {@code "cpu=8 memory=16Gi"}, request and limit apart where they differ. */
    static String portions(Injection injection, int container) {
        return ((Injection.Injected) injection)
                .lines().stream()
                        .flatMap(line -> line.portions().stream()
                                .filter(portion -> portion.container() == container)
                                .map(portion -> line.rule().name() + "=" + text(portion)))
                        .collect(Collectors.joining(" "));
    }

    private static String text(Injection.Portion portion) {
        String request = portion.request().canonical();
        String limit = portion.limit().canonical();
        return request.equals(limit) ? request : request + "/" + limit;
    }
}
