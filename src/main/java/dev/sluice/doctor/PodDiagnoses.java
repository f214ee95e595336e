package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.OtherGpuName;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.DemandDiagnosis.Answer;
import dev.sluice.doctor.DemandDiagnosis.Said;
import dev.sluice.doctor.DiagnosedNodeUse.Asker;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the reasons why existing GPU pods do not run. */
final class PodDiagnoses {

    private final ClusterFacts cluster;
    private final DemandDiagnosis asks;
    private final SchedulerMessageReasons messages;
    private final AutoscalerMessages autoscalers;
    private final KubeletRefusalRule refusals;
    private final ContainerStartRule starts;
    private final QueuedWorkloads queued;
    private final SiblingHoldersRule siblings;
    private final DefaultSchedulerRule scheduler;
    private final VolumeClaimRule volumes;

    PodDiagnoses(ClusterFacts cluster, DemandDiagnosis asks, Map<String, DiagnosedNode> nodes) {
        this.cluster = cluster;
        this.asks = asks;
        messages = new SchedulerMessageReasons(cluster);
        autoscalers = new AutoscalerMessages(cluster);
        refusals = new KubeletRefusalRule(cluster, nodes);
        starts = new ContainerStartRule(cluster, nodes);
        queued = new QueuedWorkloads(cluster);
        siblings = new SiblingHoldersRule(cluster, nodes);
        scheduler = new DefaultSchedulerRule(cluster);
        volumes = new VolumeClaimRule(cluster);
    }

    /**
     * Returns true if the pod gets a verdict. Pods without GPUs and terminating pods get none. Pods that have ended get
     * one only if the kubelet refused them, or if a container could not be started.
     */
    boolean isJudged(PodFacts pod) {
        return asksForGpus(pod.ask())
                && !pod.state().terminating()
                && (!pod.hasEnded()
                        || KubeletRefusalRule.isRefused(pod)
                        || ContainerStartRule.hasFailedToStart(pod, cluster));
    }

    /** Returns the verdict on a pod. It is empty for the pods that {@link #isJudged} excludes. */
    Optional<PodDiagnosis> of(PodFacts pod) {
        if (!isJudged(pod)) {
            return Optional.empty();
        }
        if (KubeletRefusalRule.isRefused(pod)) {
            return Optional.of(verdict(pod, refusals.causes(pod, gpus(pod.ask())), List.of()));
        }
        return Optional.of(pod.isBound() ? bound(pod) : pending(pod));
    }

    /** Returns a verdict without a code for a pod that was not judged. The sentence {@code why} gives the reason. */
    PodDiagnosis notJudged(PodFacts pod, String why) {
        return PodDiagnosis.of(subject(pod), lead(pod) + " " + why, List.of(), List.of());
    }

    /**
     * Returns true if the pod requests GPUs, or shares of them. Every ResourceClaim counts. The implicit resource name
     * of a DeviceClass counts if the class exists. A misspelt name of a GPU counts if no node has a resource of that
     * name.
     */
    boolean asksForGpus(PodDemandFacts ask) {
        return !ask.claims().isEmpty()
                || ask.asksForShare()
                || !gpus(ask).isZero()
                || ask.requests()
                        .anyMatch((resource, amount) ->
                                amount > 0 && (OtherGpuName.is(resource) || asks.isMisspelt(resource)))
                || ask.requests()
                        .anyMatch((resource, amount) -> amount > 0
                                && DraFacts.isImplicit(resource.value())
                                && cluster.dra().classes().stream().anyMatch(it -> it.maps(resource.value())));
    }

    static Amounts gpus(PodDemandFacts ask) {
        return GpuVendor.gpus(ask.requests());
    }

    private PodDiagnosis bound(PodFacts pod) {
        return verdict(
                pod,
                List.of(starts.find(pod)
                        .orElseGet(() -> healthy("The pod is bound to node " + pod.nodeName()
                                + ", and the kubelet has not refused it." + starts.soFar(pod)))),
                List.of());
    }

    private static DiagnosisCause healthy(String text) {
        return new DiagnosisCause(DiagnosisCode.HEALTHY, text, List.of());
    }

    private PodDiagnosis pending(PodFacts pod) {
        List<DiagnosisCause> causes = new ArrayList<>();
        gate(pod).or(() -> messages.notReady(pod)).or(() -> scheduler.find(pod)).ifPresent(causes::add);
        Answer answer = asks.judge(
                pod.ask(),
                new Asker(pod.ask().priority(), nominee(pod)),
                pod.name(),
                new Said(messages.fresh(pod), newest(pod)),
                nominated(pod));
        causes.addAll(answer.causes());
        if (answer.reasons().contains(DiagnosedMismatchReason.VOLUME.word())) {
            volumes.find(pod, messages.fresh(pod)).ifPresent(causes::add);
        }
        boolean onlyUsed = causes.stream().allMatch(cause -> cause.code() == DiagnosisCode.ALL_USED);
        if (!causes.isEmpty() && onlyUsed && !autoscalers.isNodeComing(pod)) {
            siblings.find(pod).ifPresent(causes::add);
        }
        if (causes.stream().anyMatch(cause -> cause.code() == DiagnosisCode.ALL_USED)) {
            messages.whyNotPreempting(pod)
                    .ifPresent(why -> causes.add(new DiagnosisCause(DiagnosisCode.ALL_USED, why, List.of())));
        }
        if (causes.stream().anyMatch(cause -> cause.code().compareTo(DiagnosisCode.NO_GPU_NODES) >= 0)) {
            autoscalers
                    .about(pod)
                    .ifPresent(said ->
                            causes.add(new DiagnosisCause(causes.getLast().code(), said, List.of())));
        }
        if (!causes.isEmpty()) {
            return verdict(pod, causes, answer.reasons());
        }
        return switch (answer.rest()) {
            case NOTHING_KNOWN -> unknown(pod);
            case FITS ->
                volumes.waitsForVolume(pod)
                        .filter(_ -> pod.ask().isForDefaultScheduler())
                        .map(cause -> verdict(pod, List.of(cause), List.of(DiagnosedMismatchReason.VOLUME.word())))
                        .orElseGet(() -> waiting(pod, stopped(pod)));
        };
    }

    private PodDiagnosis waiting(PodFacts pod, DiagnosisCause cause) {
        List<String> reasons = cause.code() == DiagnosisCode.CONSTRAINT_MISMATCH
                ? List.of(DiagnosedMismatchReason.PLUGIN.word())
                : List.of();
        return verdict(pod, List.of(cause), reasons);
    }

    private String newest(PodFacts pod) {
        return messages.newestOfItsScheduler(pod).map(Message::text).orElse("");
    }

    /**
     * Returns the full name of the pod if the pod is nominated to a node, otherwise an empty text. The name
     * distinguishes the pod from other nominated pods.
     */
    private static String nominee(PodFacts pod) {
        return pod.nominatedNode().isEmpty() ? "" : pod.fullName();
    }

    private static String nominated(PodFacts pod) {
        return pod.nominatedNode();
    }

    private Optional<DiagnosisCause> gate(PodFacts pod) {
        List<String> gates = pod.ask().gates();
        if (gates.isEmpty()) {
            return Optional.empty();
        }
        String names = String.join(", ", gates);
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence("Pod", pod.fullName(), "schedulingGates " + names));
        boolean byKueue = gates.stream().anyMatch(gate -> gate.startsWith(QueuedWorkloads.GATES));
        boolean byOthers = gates.stream().anyMatch(gate -> !gate.startsWith(QueuedWorkloads.GATES));
        String next = (byKueue ? queued.ofPod(pod, evidence) : "")
                + (byOthers ? " Whoever set " + (byKueue ? "the others" : "them") + " has to remove them." : "");
        return Optional.of(new DiagnosisCause(
                DiagnosisCode.SCHEDULING_GATED,
                "The pod is held by its scheduling gates: " + names + "." + next,
                evidence));
    }

    /**
     * Returns the cause for a pod that waits although no obstacle was found. A scheduler other than the default one may
     * hold the pod back for unknown reasons. For the default scheduler, a recent message may give the reason, for
     * example that the pod waits for its gang. Without such a message, nothing prevents the pod from being scheduled.
     */
    private DiagnosisCause stopped(PodFacts pod) {
        if (!pod.ask().isForDefaultScheduler()) {
            return asks.schedulers().holdsBack(pod, newest(pod));
        }
        Optional<DiagnosisCause> gang = messages.waitsForItsGang(pod);
        Optional<DiagnosisCause> known =
                gang.or(() -> messages.ofAnotherPlugin(pod)).or(() -> messages.ofAnotherComponent(pod));
        if (known.isPresent()) {
            return known.get();
        }
        String said = messages.newest(pod)
                .map(message -> (messages.isFresh(message)
                                ? " The scheduler's newest message no longer holds"
                                : " The scheduler's newest message is stale")
                        + ": \"" + message.text() + "\".")
                .orElse("");
        return healthy("Nothing is left that stops the pod: a node has room for it." + said);
    }

    private PodDiagnosis unknown(PodFacts pod) {
        String why = cluster.has(ClusterFactKind.NODES)
                ? "Its resource claims cannot be judged, because no ResourceClaim was collected."
                : "No node was collected, so that nothing more can be said.";
        String said = messages.newest(pod)
                .map(Message::text)
                .map(text -> " The scheduler's newest message: \"" + text + "\".")
                .orElse(" There is no message of the scheduler.");
        return PodDiagnosis.of(subject(pod), lead(pod) + " " + why + said, List.of(), List.of());
    }

    private PodDiagnosis verdict(PodFacts pod, List<DiagnosisCause> causes, List<String> reasons) {
        return PodDiagnosis.of(subject(pod), lead(pod), causes, reasons);
    }

    private static DiagnosisCause.Subject subject(PodFacts pod) {
        return new DiagnosisCause.Subject(ClusterFactKind.PODS.kind(), pod.namespace(), pod.name());
    }

    private String lead(PodFacts pod) {
        return "Pod " + pod.fullName() + " requests " + requested(pod.ask()) + ".";
    }

    /**
     * Returns the requested devices, for example {@code nvidia.com/gpu: 4}. If the pod requests no known devices,
     * returns the first requested resource whose name is misspelt.
     */
    String requested(PodDemandFacts ask) {
        List<String> asked = new ArrayList<>();
        ask.requests().forEach((resource, amount) -> {
            if (amount > 0 && DraFacts.isDevice(resource)) {
                asked.add(resource + ": " + amount);
            }
        });
        if (ask.asksForShare()) {
            asked.add("a share of a GPU (" + ask.share() + ")");
        }
        ask.claims().forEach(use -> asked.add("the ResourceClaim " + (use.claim() == null ? use.name() : use.claim())));
        ask.requests().forEach((resource, amount) -> {
            if (asked.isEmpty() && amount > 0 && asks.isMisspelt(resource)) {
                asked.add(resource + ": " + amount);
            }
        });
        return FirstFiveNames.of(asked);
    }
}
