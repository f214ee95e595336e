package dev.sluice.doctor;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds pods that wait for devices which other pods of their own workload hold. Such pods wait in vain. A rolling
 * update keeps the old pods until the new pods are ready. The pods of a service or of a distributed job do not end
 * before the waiting pods have started.
 */
final class SiblingHoldersRule {

    /** The first words of the evidence about a rolling update that waits for the pod. */
    static final String UPDATE = "the update of ";

    private final Map<String, DiagnosedNode> nodes;
    /** Maps a workload with rolling updates to its pods that use devices of their node. */
    private final Map<String, List<PodFacts>> byRollout = new HashMap<>();
    /** Holds the owners of the pods that use devices of their node. */
    private final Set<String> owners = new HashSet<>();
    /** Caches the answers, because the pods of a workload are alike. */
    private final Map<SiblingQuestion, Optional<DiagnosisCause>> answers = new HashMap<>();

    /** Holds everything that the answer for a pod depends on. Pods with equal questions share an answer. */
    private record SiblingQuestion(
            Optional<PodRevision> revision, Optional<String> owner, Amounts gpus, NodeConstraints constraints) {}

    SiblingHoldersRule(ClusterFacts cluster, Map<String, DiagnosedNode> nodes) {
        this.nodes = nodes;
        for (PodFacts pod : cluster.pods()) {
            if (pod.holdsItsNode() && !PodDiagnoses.gpus(pod.ask()).isZero()) {
                PodRevision.of(pod)
                        .ifPresent(it -> byRollout
                                .computeIfAbsent(it.workload(), _ -> new ArrayList<>())
                                .add(pod));
                owner(pod).ifPresent(owners::add);
            }
        }
    }

    /**
     * Returns the cause if pods of the same workload hold the devices for which the pod waits; empty otherwise. If DRA
     * allocates the devices, always returns empty, because claims of other pods can hold them, too.
     */
    Optional<DiagnosisCause> find(PodFacts pod) {
        Optional<PodRevision> revision = PodRevision.of(pod);
        Optional<String> owner = owner(pod);
        return revision.filter(it -> byRollout.containsKey(it.workload())).isPresent()
                        || owner.filter(owners::contains).isPresent()
                ? answers.computeIfAbsent(
                        new SiblingQuestion(
                                revision,
                                owner,
                                PodDiagnoses.gpus(pod.ask()),
                                pod.ask().constraints()),
                        _ -> answer(pod))
                : Optional.empty();
    }

    private Optional<DiagnosisCause> answer(PodFacts pod) {
        boolean byClaims = nodes.values().stream()
                .anyMatch(node -> PodDiagnoses.gpus(pod.ask())
                        .anyMatch((resource, _) -> node.facts().node().claims(resource)));
        return byClaims ? Optional.empty() : ofRollout(pod).or(() -> ofOwner(pod));
    }

    /**
     * Returns the cause if pods of an earlier revision hold the devices and the update is stuck. An update is not stuck
     * if a pod of the workload is terminating, or if a pod of the new revision uses devices and is not ready yet.
     */
    private Optional<DiagnosisCause> ofRollout(PodFacts pod) {
        Optional<PodRevision> own = PodRevision.of(pod);
        List<PodFacts> all =
                own.map(it -> byRollout.getOrDefault(it.workload(), List.of())).orElse(List.of());
        Predicate<PodFacts> isNew = other -> PodRevision.of(other).equals(own);
        boolean goesOn = all.stream()
                .anyMatch(other -> other.state().terminating()
                        || (isNew.test(other) && !other.state().ready()));
        List<PodFacts> old = goesOn
                ? List.of()
                : all.stream()
                        .filter(isNew.negate())
                        .filter(other -> Optional.ofNullable(nodes.get(other.nodeName()))
                                .filter(node -> couldServe(node, pod))
                                .isPresent())
                        .filter(other -> holdsDevicesFor(other, pod))
                        .toList();
        return own.filter(_ -> !old.isEmpty()).map(it -> rollout(pod, it, old));
    }

    private DiagnosisCause rollout(PodFacts pod, PodRevision own, List<PodFacts> old) {
        boolean alone = holders(pod).allMatch(other -> isOf(own.workload(), other));
        String names = FirstFiveNames.of(old.stream().map(PodFacts::fullName).toList());
        return new DiagnosisCause(
                DiagnosisCode.ALL_USED,
                "Of these, " + names + (old.size() == 1 ? " is" : " are") + " of an earlier revision of the "
                        + own.workload() + ", whose update ends " + (old.size() == 1 ? "it" : "them")
                        + " only once new pods are ready" + (alone ? ", so that waiting does not help" : "")
                        + ". " + own.advice(),
                Evidence.ofSubject(UPDATE + own.workload() + (alone ? " " + Evidence.STUCK : " waits for it")));
    }

    private static boolean isOf(String workload, PodFacts pod) {
        return PodRevision.of(pod).filter(it -> it.workload().equals(workload)).isPresent();
    }

    /** Returns the cause if pods of the pod's own owner hold all devices that the pod could get. */
    private Optional<DiagnosisCause> ofOwner(PodFacts pod) {
        Optional<String> owner = owner(pod).filter(owners::contains);
        return owner.isPresent()
                        && holders(pod).findAny().isPresent()
                        && holders(pod).allMatch(other -> owner(other).equals(owner))
                ? Optional.of(new DiagnosisCause(
                        DiagnosisCode.ALL_USED,
                        "All of these belong to the " + owner.get() + " like the pod itself, and as a rule do not end"
                                + " before it has started, so that waiting does not help: ask for fewer pods or devices,"
                                + " or add a node.",
                        Evidence.ofSubject("its " + owner.get() + " " + Evidence.STUCK)))
                : Optional.empty();
    }

    /** Returns the pods that hold devices on the nodes that could serve the pod. */
    private Stream<PodFacts> holders(PodFacts pod) {
        return nodes.values().stream()
                .filter(node -> couldServe(node, pod))
                .flatMap(node -> node.use().bound().stream())
                .filter(other -> holdsDevicesFor(other, pod));
    }

    private static boolean couldServe(DiagnosedNode node, PodFacts pod) {
        RuleTime.check();
        Amounts gpus = PodDiagnoses.gpus(pod.ask());
        return !gpus.anyMatch((resource, amount) -> amount > node.allocatable(resource))
                && !pod.ask().constraints().isRefused(node.facts().node(), _ -> true);
    }

    private static boolean holdsDevicesFor(PodFacts other, PodFacts pod) {
        RuleTime.check();
        return PodDiagnoses.gpus(pod.ask())
                .anyMatch((resource, _) -> other.ask().requests().get(resource) > 0);
    }

    /**
     * Returns the owner of the pod, for example {@code ReplicaSet team/web}, if all pods of this owner run equally
     * long. Returns empty if the pods of the owner end one by one, for example the pods of a Job or a workflow.
     */
    private static Optional<String> owner(PodFacts pod) {
        return pod.owner()
                .filter(it -> endsWithTheOthers(it.kind()))
                .map(it -> it.kind() + " " + pod.namespace() + "/" + it.name());
    }

    private static boolean endsWithTheOthers(String kind) {
        return switch (kind) {
            case "ReplicaSet", "StatefulSet", "RayCluster" -> true;
            // The pods of these jobs of Kubeflow, such as PyTorchJob and MPIJob, all run at once.
            default -> kind.endsWith("Job") && !kind.equals("Job") && !kind.equals("CronJob");
        };
    }
}
