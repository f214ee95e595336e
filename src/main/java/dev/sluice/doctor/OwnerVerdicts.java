package dev.sluice.doctor;

import dev.sluice.doctor.DemandDiagnosis.Answer;
import dev.sluice.doctor.DemandDiagnosis.Said;
import dev.sluice.doctor.DiagnosedNodeUse.Asker;
import dev.sluice.doctor.LackingOwners.OwnerKey;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodFacts.OwnerReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the reasons why owners do not have all their GPU pods. */
final class OwnerVerdicts {

    private final ClusterFacts cluster;
    private final DemandDiagnosis asks;
    private final PodDiagnoses pods;
    private final QuotaRule quotas;
    private final QueuedWorkloads queued;
    private final LeavingPodsRule leaving;
    private final Map<OwnerKey, PodDemandFacts> asksOfPods;

    OwnerVerdicts(ClusterFacts cluster, DemandDiagnosis asks, PodDiagnoses pods) {
        this.cluster = cluster;
        this.asks = asks;
        this.pods = pods;
        quotas = new QuotaRule(cluster);
        queued = new QueuedWorkloads(cluster);
        leaving = new LeavingPodsRule(cluster);
        asksOfPods = asksOfPods(cluster, pods);
    }

    /**
     * Adds the objects that wait in a queue and have no pods. Adds the owners that lack pods or are suspended; an owner
     * that requests no GPUs gets no verdict.
     */
    void addTo(DiagnosisOrder turns) {
        for (PodDiagnosis waiting : queued.withoutPods()) {
            turns.add(waiting.namespace(), new DiagnosisOrder.Judged(() -> Optional.of(waiting), _ -> waiting));
        }
        for (DiagnosedOwner owner : new LackingOwners(cluster).all()) {
            turns.add(
                    owner.namespace(),
                    new DiagnosisOrder.Judged(
                            () -> asksForGpus(owner) ? of(owner) : Optional.empty(),
                            why -> PodDiagnosis.of(subject(owner), lead(owner) + " " + why, List.of(), List.of())));
        }
    }

    /**
     * Returns true if the owner's message names a GPU, or its pod template requests one. If the template is not known,
     * also returns true if the message is about a missing limit, or if an existing pod of the owner requests a GPU.
     */
    private boolean asksForGpus(DiagnosedOwner owner) {
        Optional<String> said = owner.failure().map(Message::text);
        return said.filter(DiagnosedMessageGpus::areIn).isPresent()
                || owner.template()
                        .map(this::asksForGpus)
                        .orElseGet(() -> said.filter(MissingLimitRule::isAbout).isPresent()
                                || askOfItsPods(owner).isPresent());
    }

    private boolean asksForGpus(PodDemandFacts template) {
        return pods.asksForGpus(template)
                || !template.unlimited().isEmpty()
                || !template.podLevel().isEmpty();
    }

    private Optional<PodDemandFacts> askOfItsPods(DiagnosedOwner owner) {
        return Optional.ofNullable(asksOfPods.get(new OwnerKey(owner.kind(), owner.namespace(), owner.name())));
    }

    /** Maps each owner to the request of the first of its pods that requests GPUs. */
    private static Map<OwnerKey, PodDemandFacts> asksOfPods(ClusterFacts cluster, PodDiagnoses pods) {
        Map<OwnerKey, PodDemandFacts> asks = new HashMap<>();
        for (PodFacts pod : cluster.pods()) {
            if (pod.owner().isPresent() && pods.asksForGpus(pod.ask())) {
                OwnerReference owner = pod.owner().get();
                asks.putIfAbsent(new OwnerKey(owner.kind(), pod.namespace(), owner.name()), pod.ask());
            }
        }
        return asks;
    }

    private Optional<PodDiagnosis> of(DiagnosedOwner owner) {
        List<DiagnosisCause> causes = new ArrayList<>();
        OwnerFacts facts = owner.facts();
        if (facts != null && facts.suspended()) {
            causes.add(queued.ofJob(facts));
        } else {
            MissingLimitRule.find(owner).ifPresent(causes::add);
            quotas.find(owner).ifPresent(causes::add);
            if (causes.isEmpty()) {
                AdmissionFailureRule.find(owner).or(() -> leaving.find(owner)).ifPresent(causes::add);
            }
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(verdict(owner, causes));
    }

    private PodDiagnosis verdict(DiagnosedOwner owner, List<DiagnosisCause> causes) {
        List<String> reasons = new ArrayList<>();
        owner.template()
                .filter(it -> cluster.has(ClusterFactKind.NODES) && asksForGpus(it))
                .ifPresent(template -> {
                    Answer answer = asks.judge(template, new Asker(template.priority(), ""), "", Said.NOTHING, "");
                    causes.addAll(answer.causes());
                    reasons.addAll(answer.reasons());
                });
        return PodDiagnosis.of(subject(owner), lead(owner), causes, reasons);
    }

    private static DiagnosisCause.Subject subject(DiagnosedOwner owner) {
        return new DiagnosisCause.Subject(owner.kind(), owner.namespace(), owner.name());
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
