package dev.sluice.doctor;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.FirstFive;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds requests that can never be satisfied: there is no such hardware, no such profile, or no claim. */
final class ImpossibleDemand {

    private static final int MOST_NODES = 5;

    private final List<NodeStudy> nodes;
    private final ClaimRules claims;
    /** The MIG resources that were asked for, and whether a model can have them. */
    private final Map<ResourceName, Boolean> possible = new HashMap<>();

    public ImpossibleDemand(List<NodeStudy> nodes, ClaimRules claims) {
        this.nodes = nodes;
        this.claims = claims;
    }

    /** The first that is found; {@code pod} is the name of the pod, empty for a template. */
    public Optional<Cause> find(PodGpuDemand ask, String pod, String message) {
        Amounts gpus = GpuVendor.gpus(ask.requests());
        return first(gpus, this::withoutHardware)
                .or(() -> first(gpus, this::unknownProfile))
                .or(() -> claims.unsatisfied(ask, pod, message))
                .or(() -> first(ask.requests(), (resource, _) -> onlyByClaims(resource, ask, pod)));
    }

    private interface ImpossibleRule {
        Optional<Cause> cause(ResourceName resource, long asked);
    }

    private static Optional<Cause> first(Amounts amounts, ImpossibleRule rule) {
        List<Cause> causes = new ArrayList<>();
        amounts.forEach((resource, asked) -> rule.cause(resource, asked).ifPresent(causes::add));
        return causes.stream().findFirst();
    }

    private Optional<Cause> withoutHardware(ResourceName resource, long asked) {
        GpuVendor vendor = GpuVendor.of(resource).orElseThrow();
        if (nodes.stream().anyMatch(node -> node.has(vendor)) || claims.isMapped(resource)) {
            return Optional.empty();
        }
        List<String> machines = nodes.stream()
                .filter(node -> GpuVendor.isForMachines(node.facts()))
                .map(node -> node.name() + " (" + GpuVendor.WORKLOAD + "=" + node.label(GpuVendor.WORKLOAD) + ")")
                .toList();
        List<String> others = nodes.stream()
                .filter(node -> !node.hardware().isEmpty())
                .map(node -> node.name() + " ("
                        + node.hardware().keySet().iterator().next().title() + ")")
                .toList();
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(Evidence.ofSubject("requests " + resource + ": " + asked));
        nodes.stream()
                .filter(node -> GpuVendor.isForMachines(node.facts()))
                .limit(MOST_NODES)
                .forEach(node -> evidence.add(
                        new Evidence("Node", node.name(), GpuVendor.WORKLOAD + "=" + node.label(GpuVendor.WORKLOAD))));
        nodes.stream()
                .filter(node -> !node.hardware().isEmpty())
                .limit(MOST_NODES)
                .forEach(node -> evidence.add(new Evidence(
                        "Node",
                        node.name(),
                        "hardware by "
                                + node.hardware().keySet().iterator().next().title())));
        String text = resource + ": " + asked + " requested, but none of the " + nodes.size()
                + " nodes has hardware by " + vendor.title() + " for containers."
                + (others.isEmpty() ? "" : " Nodes with GPUs of another vendor: " + FirstFive.of(others) + ".")
                + (machines.isEmpty() ? "" : " Nodes reserved for virtual machines: " + FirstFive.of(machines) + ".");
        return Optional.of(new Cause(VerdictCode.NO_GPU_NODES, text, evidence));
    }

    private Optional<Cause> unknownProfile(ResourceName resource, long asked) {
        if (!resource.isMig() || possible.computeIfAbsent(resource, this::isPossible)) {
            return Optional.empty();
        }
        List<GpuProduct> present = products();
        String models = FirstFive.of(present.stream()
                .map(product -> product.name().isEmpty() ? "a model that no label names" : product.name())
                .toList());
        String suggestion = NearestProfile.of(resource, present)
                .map(nearest -> " The nearest that exists is " + nearest.resource() + ".")
                .orElse("");
        return Optional.of(new Cause(
                VerdictCode.UNKNOWN_PROFILE,
                resource + ": " + asked + " requested, but no GPU model of this cluster can have such a MIG profile."
                        + " The models are " + models + "." + suggestion,
                Evidence.ofSubject("requests " + resource + ": " + asked + ", which is no MIG profile of " + models)));
    }

    private boolean isPossible(ResourceName resource) {
        return nodes.stream().anyMatch(node -> node.capacity(resource) > 0)
                || MigProfile.ofResource(resource)
                        .filter(profile -> products().stream().anyMatch(product -> product.canHave(profile)))
                        .isPresent();
    }

    private List<GpuProduct> products() {
        return nodes.stream()
                .filter(node -> node.has(GpuVendor.NVIDIA))
                .map(NodeStudy::product)
                .distinct()
                .toList();
    }

    private Optional<Cause> onlyByClaims(ResourceName resource, PodGpuDemand ask, String pod) {
        boolean otherwise =
                !claims.isMapped(resource) || nodes.stream().anyMatch(node -> node.allocatable(resource) > 0);
        return otherwise ? Optional.empty() : claims.mapped(resource, ask, pod);
    }
}
