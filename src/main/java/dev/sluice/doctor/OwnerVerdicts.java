package dev.sluice.doctor;

import dev.sluice.doctor.DemandVerdicts.Answer;
import dev.sluice.doctor.DemandVerdicts.Said;
import dev.sluice.doctor.DiagnosedNodeUse.Asker;
import dev.sluice.doctor.LackingOwners.OwnerKey;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodFacts.OwnerReference;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the reasons why owners do not have all their GPU pods. */
final class OwnerVerdicts {

    private final ClusterFacts cluster;
    private final DemandVerdicts asks;
    private final PodVerdicts pods;
    private final QuotaRule quotas;
    private final QueuedWorkloads queued;
    private final Map<OwnerKey, PodGpuDemand> asksOfPods;

    OwnerVerdicts(ClusterFacts cluster, DemandVerdicts asks, PodVerdicts pods) {
        this.cluster = cluster;
        this.asks = asks;
        this.pods = pods;
        quotas = new QuotaRule(cluster);
        queued = new QueuedWorkloads(cluster);
        asksOfPods = asksOfPods(cluster, pods);
    }

    /** Adds all owners that lack pods or are suspended. Only owners that request GPUs get a verdict. */
    void addTo(DiagnosisTurns turns) {
        for (DiagnosedOwner owner : new LackingOwners(cluster).all()) {
            turns.add(
                    owner.namespace(),
                    new DiagnosisTurns.Judged(
                            () -> asksForGpus(owner) ? of(owner) : Optional.empty(),
                            why -> PodVerdict.of(subject(owner), lead(owner) + " " + why, List.of(), List.of())));
        }
    }

    /**
     * Returns true if the owner's message or its pod template names a GPU. If the template is not known, it is enough
     * that the message is about a missing limit, or that an existing pod of the owner requests a GPU.
     */
    private boolean asksForGpus(DiagnosedOwner owner) {
        Optional<String> said = owner.failure().map(Message::text);
        return said.filter(GpuNames::areIn).isPresent()
                || owner.template()
                        .map(this::asksForGpus)
                        .orElseGet(() -> said.filter(MissingLimitRule::isAbout).isPresent()
                                || askOfItsPods(owner).isPresent());
    }

    private boolean asksForGpus(PodGpuDemand template) {
        return pods.asksForGpus(template)
                || !template.unlimited().isEmpty()
                || !template.podLevel().isEmpty();
    }

    private Optional<PodGpuDemand> askOfItsPods(DiagnosedOwner owner) {
        return Optional.ofNullable(asksOfPods.get(new OwnerKey(owner.kind(), owner.namespace(), owner.name())));
    }

    /** Returns for each owner the request of its first pod that requests GPUs. */
    private static Map<OwnerKey, PodGpuDemand> asksOfPods(ClusterFacts cluster, PodVerdicts pods) {
        Map<OwnerKey, PodGpuDemand> asks = new HashMap<>();
        for (PodFacts pod : cluster.pods()) {
            if (pod.owner().isPresent() && pods.asksForGpus(pod.ask())) {
                OwnerReference owner = pod.owner().get();
                asks.putIfAbsent(new OwnerKey(owner.kind(), pod.namespace(), owner.name()), pod.ask());
            }
        }
        return asks;
    }

    private Optional<PodVerdict> of(DiagnosedOwner owner) {
        List<Cause> causes = new ArrayList<>();
        OwnerFacts facts = owner.facts();
        if (facts != null && facts.suspended()) {
            queued.ofJob(facts).ifPresent(causes::add);
        } else {
            MissingLimitRule.find(owner).ifPresent(causes::add);
            quotas.find(owner).ifPresent(causes::add);
            if (causes.isEmpty()) {
                AdmissionFailureRule.find(owner).ifPresent(causes::add);
            }
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(verdict(owner, causes));
    }

    private PodVerdict verdict(DiagnosedOwner owner, List<Cause> causes) {
        List<String> reasons = new ArrayList<>();
        owner.template()
                .filter(it -> cluster.has(FactKind.NODES) && asksForGpus(it))
                .ifPresent(template -> {
                    Answer answer = asks.judge(template, new Asker(template.priority(), ""), "", Said.NOTHING, "");
                    causes.addAll(answer.causes());
                    reasons.addAll(answer.reasons());
                });
        return PodVerdict.of(subject(owner), lead(owner), causes, reasons);
    }

    private static Cause.Subject subject(DiagnosedOwner owner) {
        return new Cause.Subject(owner.kind(), owner.namespace(), owner.name());
    }

    private String lead(DiagnosedOwner owner) {
        return "A pod of " + owner.kind() + " " + owner.fullName() + " does not exist"
                + owner.template()
                        .map(pods::requested)
                        .filter(asked -> !asked.isEmpty())
                        .map(asked -> "; it would request " + asked)
                        .or(() -> askOfItsPods(owner).map(ask -> "; the others request " + pods.requested(ask)))
                        .orElse("")
                + ".";
    }
}
