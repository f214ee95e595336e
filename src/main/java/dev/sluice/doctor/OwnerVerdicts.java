package dev.sluice.doctor;

import dev.sluice.doctor.DemandVerdicts.Answer;
import dev.sluice.doctor.DemandVerdicts.Said;
import dev.sluice.doctor.NodeUse.Asker;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the reasons why owners cannot create their GPU pods. */
final class OwnerVerdicts {

    private final ClusterFacts cluster;
    private final DemandVerdicts asks;
    private final PodVerdicts pods;
    private final QuotaRule quotas;

    OwnerVerdicts(ClusterFacts cluster, DemandVerdicts asks, PodVerdicts pods) {
        this.cluster = cluster;
        this.asks = asks;
        this.pods = pods;
        quotas = new QuotaRule(cluster);
    }

    List<PodVerdict> all() {
        List<PodVerdict> verdicts = new ArrayList<>();
        for (OwnerState owner : new LackingOwners(cluster).all()) {
            if (asksForGpus(owner)) {
                of(owner).ifPresent(verdicts::add);
            }
        }
        return verdicts;
    }

    /**
     * Returns true if the owner's message or its pod template names a GPU. If the template is not known, a message
     * about a missing limit or the owner's existing pods decide.
     */
    private boolean asksForGpus(OwnerState owner) {
        Optional<String> said = owner.failure().map(Message::text);
        return said.filter(GpuNames::areIn).isPresent()
                || owner.template()
                        .map(this::asksForGpus)
                        .orElseGet(() -> said.filter(LimitRule::isAbout).isPresent()
                                || askOfItsPods(owner).isPresent());
    }

    private boolean asksForGpus(PodGpuDemand template) {
        return pods.asksForGpus(template)
                || !template.unlimited().isEmpty()
                || !template.podLevel().isEmpty();
    }

    private Optional<PodGpuDemand> askOfItsPods(OwnerState owner) {
        return cluster.pods().stream()
                .filter(pod -> pod.namespace().equals(owner.namespace())
                        && pod.owner()
                                .filter(it -> it.kind().equals(owner.kind())
                                        && it.name().equals(owner.name()))
                                .isPresent()
                        && pods.asksForGpus(pod.ask()))
                .map(PodFacts::ask)
                .findFirst();
    }

    private Optional<PodVerdict> of(OwnerState owner) {
        List<Cause> causes = new ArrayList<>();
        LimitRule.find(owner).ifPresent(causes::add);
        quotas.find(owner).ifPresent(causes::add);
        if (causes.isEmpty()) {
            AdmissionRule.find(owner).ifPresent(causes::add);
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(verdict(owner, causes));
    }

    private PodVerdict verdict(OwnerState owner, List<Cause> causes) {
        List<String> reasons = new ArrayList<>();
        owner.template()
                .filter(it -> cluster.has(FactKind.NODES) && asksForGpus(it))
                .ifPresent(template -> {
                    Answer answer = asks.judge(template, new Asker(template.priority(), ""), "", Said.NOTHING, "");
                    causes.addAll(answer.causes());
                    reasons.addAll(answer.reasons());
                });
        Cause.Subject subject = new Cause.Subject(owner.kind(), owner.namespace(), owner.name());
        return PodVerdict.of(subject, lead(owner), causes, reasons);
    }

    private String lead(OwnerState owner) {
        return "A pod of " + owner.kind() + " " + owner.fullName() + " does not exist"
                + owner.template()
                        .map(PodVerdicts::requested)
                        .filter(asked -> !asked.isEmpty())
                        .map(asked -> "; it would request " + asked)
                        .or(() -> askOfItsPods(owner).map(ask -> "; the others request " + PodVerdicts.requested(ask)))
                        .orElse("")
                + ".";
    }
}
