package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.text.ShellWord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Suggests one command for each verdict. The command shows the object that has to change. */
public final class DiagnosisNextStep {

    /** The API server's message contains this text if the API server could not call the webhook of Sluice. */
    private static final String OWN_WEBHOOK_FAILS = "failed calling webhook \"gpu-allocation.k8s.io\"";

    /**
     * Matches the name of an init container that keeps a pod from being ready. The log of this container tells more
     * than the log of the pod's other containers.
     */
    private static final Pattern INIT_CONTAINER = Pattern.compile("init container ([a-z0-9-]+)");

    private static final List<String> ONLY_VOLUME = List.of(DiagnosedMismatchReason.VOLUME.word());

    private DiagnosisNextStep() {}

    /** Returns the command; empty if it would contain a name that cannot be written safely in a shell. */
    public static Optional<String> of(DiagnosisCode verdict, PodDiagnosis pod) {
        String evidence =
                pod.evidence().isEmpty() ? "" : pod.evidence().getFirst().name();
        return switch (verdict) {
            case REQUESTS_WITHOUT_LIMITS -> pod("kubectl -n %s get %s -o yaml", pod);
            case SHARED_REQUEST_TOO_LARGE -> pod("kubectl -n %s get pod %s -o yaml", pod);
            case QUOTA_EXCEEDED -> ShellWord.command("kubectl -n %s describe resourcequota", pod.namespace());
            case DENIED_AT_ADMISSION ->
                pod.explanation().contains(OWN_WEBHOOK_FAILS)
                        ? Optional.of("kubectl get pods -A -o wide -l app=gpu-webhook")
                        : pod("kubectl -n %s describe %s", pod);
            case NOT_RUNNING ->
                shown(pod)
                        .or(() -> lookAtFirst(pod, "init container "))
                        .or(() -> first(pod, "Node").flatMap(node -> node(node.name())))
                        .or(() -> pod("kubectl -n %s describe pod %s", pod));
            case SCHEDULING_GATED ->
                workload(pod)
                        .or(() -> pod(
                                pod.name().contains("/")
                                        ? "kubectl -n %s describe %s"
                                        : "kubectl -n %s describe pod %s",
                                pod));
            case OTHER_SCHEDULER ->
                lookAtFirst(pod, DefaultSchedulerRule.POD).or(() -> pod("kubectl -n %s describe pod %s", pod));
            case HEALTHY -> pod("kubectl -n %s describe pod %s", pod);
            case NO_GPU_NODES ->
                Optional.of(
                        AutoscalerMessages.quotesKarpenter(pod.explanation())
                                ? "kubectl get nodepools,nodeclaims"
                                : "kubectl get nodes -L node.kubernetes.io/instance-type");
            case NEVER_FITS_ONE_NODE ->
                lookAtFirst(pod, UnregisteredResourceRule.REGISTERS)
                        .or(() -> Optional.of(
                                pod.explanation().contains(NeverFitsRule.PERMITTED)
                                        ? "kubectl get kubevirt -A -o yaml"
                                        : "sluice capacity"));
            case UNKNOWN_PROFILE, FRAGMENTED -> Optional.of("sluice capacity");
            case DRA_CLAIM_UNSATISFIED ->
                ExceededQuota.in(pod.explanation()).isPresent()
                        ? ShellWord.command("kubectl -n %s describe resourcequota", pod.namespace())
                        : driver(pod)
                                .or(() -> first(pod, "DeviceClass").isPresent()
                                        ? Optional.of("kubectl get deviceclasses,resourceslices")
                                        : ShellWord.command(
                                                "kubectl -n %s get resourceclaims -o wide", pod.namespace()));
            case PLUGIN_NOT_REGISTERED, PLUGIN_STOPPED ->
                shown(pod)
                        .or(() -> first(pod, "Node")
                                .flatMap(node -> ShellWord.command(
                                        "kubectl get pods -A -o wide --field-selector spec.nodeName=%s", node.name())));
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING, MIG_WITHOUT_INSTANCES ->
                ShellWord.command(
                        "kubectl get pods -A -o wide -l app=nvidia-mig-manager --field-selector spec.nodeName=%s",
                        evidence);
            case UNHEALTHY_DEVICES -> shown(pod).or(() -> node(evidence));
            case CONSTRAINT_MISMATCH ->
                evidence.equals(pod.fullName()) || pod.reasons().equals(ONLY_VOLUME)
                        ? volume(pod).or(() -> pod("kubectl -n %s describe pod %s", pod))
                        : lookAtFirst(pod, UnregisteredResourceRule.REGISTERS).or(() -> node(evidence));
            case HELD_BY_TERMINATING -> holder(pod);
            case ALL_USED -> keptClaim(pod).or(() -> updated(pod)).or(() -> Optional.of("sluice capacity --by pod"));
            case KUBELET_REFUSED -> refused(pod);
        };
    }

    /**
     * Returns the command for a pod that the kubelet refused. If the kubelet refused several pods, or the node lost a
     * GPU, the command cordons the node. Otherwise the command shows the object that caused the refusal: the device
     * plugin, the node that lacked disk, memory or process IDs, or the pod itself.
     */
    private static Optional<String> refused(PodDiagnosis pod) {
        Optional<Evidence> cordon = pod.evidence().stream()
                .filter(it -> it.fact().endsWith(KubeletRefusalRule.REFUSED)
                        || it.fact().endsWith(KubeletRefusalRule.GPU_LOST))
                .findFirst();
        return cordon.isPresent()
                ? cordon.flatMap(node -> ShellWord.command("kubectl cordon %s", node.name()))
                : lookAtFirst(pod, KubeletRefusalRule.PLUGIN_ERROR)
                        .or(() -> lookAtFirst(pod, KubeletRefusalRule.PLUGIN_DOWN))
                        .or(() -> pod.evidence().stream()
                                .filter(it -> it.fact().startsWith(KubeletRefusalRule.UNDER_PRESSURE))
                                .findFirst()
                                .flatMap(it -> node(it.name())))
                        .or(() -> pod("kubectl -n %s get pod %s -o yaml", pod));
    }

    private static Optional<String> node(String name) {
        return name.isEmpty()
                ? Optional.of("kubectl describe node")
                : ShellWord.command("kubectl describe node %s", name);
    }

    /**
     * Returns a command for a pod, or for an owner that cannot create its pods. If the verdict is about an owner, its
     * name already begins with the kind that kubectl expects.
     */
    private static Optional<String> pod(String command, PodDiagnosis pod) {
        return ShellWord.command(command, pod.namespace(), pod.name());
    }

    /**
     * Returns a command about another pod in the evidence that does not work, or about a DaemonSet in the evidence that
     * has no pod. The command shows the log of a pod that has started. Otherwise it shows the description of the pod or
     * DaemonSet.
     */
    private static Optional<String> shown(PodDiagnosis pod) {
        return pod.evidence().stream()
                .filter(it -> (it.kind().equals("Pod") && !it.name().equals(pod.fullName()))
                        || it.kind().equals("DaemonSet"))
                .min(Comparator.comparingInt(DiagnosisNextStep::rank))
                .flatMap(DiagnosisNextStep::look);
    }

    /**
     * Returns a command that shows a claim whose devices are never released; empty if the evidence has no such claim.
     */
    private static Optional<String> keptClaim(PodDiagnosis pod) {
        return pod.evidence().stream()
                .filter(it -> it.kind().equals("ResourceClaim") && it.fact().contains(Evidence.STUCK))
                .findFirst()
                .flatMap(it -> {
                    int slash = it.name().indexOf('/');
                    return ShellWord.command(
                            "kubectl -n %s get resourceclaim %s -o yaml",
                            it.name().substring(0, Math.max(0, slash)),
                            it.name().substring(slash + 1));
                });
    }

    /** Returns a command that shows the Deployment whose update waits for the pod; empty if no update waits for it. */
    private static Optional<String> updated(PodDiagnosis pod) {
        String begin = SiblingHoldersRule.UPDATE + PodRevision.DEPLOYMENT + pod.namespace() + "/";
        return pod.evidence().stream()
                .map(Evidence::fact)
                .filter(fact -> fact.startsWith(begin))
                .map(fact -> fact.substring(begin.length(), fact.indexOf(' ', begin.length())))
                .findFirst()
                .flatMap(name -> ShellWord.command("kubectl -n %s get deployment %s -o yaml", pod.namespace(), name));
    }

    /**
     * Returns a command that shows why a DRA driver publishes no device; empty if the evidence contains no pod or
     * DaemonSet of a driver. Pods that are not ready are preferred, then other pods, then DaemonSets.
     */
    private static Optional<String> driver(PodDiagnosis pod) {
        return pod.evidence().stream()
                .filter(it -> it.kind().equals("DaemonSet")
                        || it.fact().contains(ClaimRules.DRIVER_NOT_READY)
                        || it.fact().contains(ClaimRules.DRIVER_READY))
                .min(Comparator.comparingInt(DiagnosisNextStep::rank))
                .flatMap(DiagnosisNextStep::look);
    }

    private static Optional<String> look(Evidence it) {
        boolean hasLog = it.fact().contains("Running")
                || it.fact().contains("CrashLoopBackOff")
                || it.fact().startsWith(DiagnosedRepairCauses.BUILD);
        String command = it.kind().equals("DaemonSet")
                ? "kubectl -n %s describe daemonset %s"
                : hasLog ? "kubectl -n %s logs %s" : "kubectl -n %s describe pod %s";
        int slash = it.name().indexOf('/');
        String namespace = it.name().substring(0, Math.max(0, slash));
        String name = it.name().substring(slash + 1);
        Matcher init = INIT_CONTAINER.matcher(it.fact());
        boolean hasBegun = hasLog || it.fact().contains("has not ended");
        return hasBegun && init.find()
                ? ShellWord.command("kubectl -n %s logs %s -c %s", namespace, name, init.group(1))
                : ShellWord.command(command, namespace, name);
    }

    /**
     * Returns the rank of a piece of evidence. The command is about the evidence with the smallest rank. The order is:
     * DaemonSets that install the driver only on other nodes, pods that are not ready, other pods, other DaemonSets.
     */
    private static int rank(Evidence evidence) {
        if (evidence.kind().equals("DaemonSet")) {
            return evidence.fact().startsWith(DiagnosedNodeFaultText.OTHER_DRIVER) ? -1 : 2;
        }
        return evidence.fact().contains("not ready") ? 0 : 1;
    }

    /** Returns a command that shows why Kueue holds the pod or Job back; empty if Kueue does not. */
    private static Optional<String> workload(PodDiagnosis pod) {
        return describe(pod, "Workload", "kubectl -n %s describe workload.kueue.x-k8s.io %s")
                .or(() -> pod.explanation().contains(QueuedWorkloads.QUEUED)
                        ? ShellWord.command("kubectl -n %s get workloads.kueue.x-k8s.io", pod.namespace())
                        : Optional.empty());
    }

    /** Returns the command for the first piece of evidence whose fact starts with this text; empty if there is none. */
    private static Optional<String> lookAtFirst(PodDiagnosis pod, String lead) {
        return pod.evidence().stream()
                .filter(it -> it.fact().startsWith(lead))
                .findFirst()
                .flatMap(DiagnosisNextStep::look);
    }

    /**
     * Returns a command that shows the PersistentVolumeClaim whose volume is missing; empty if the evidence names no
     * such claim.
     */
    private static Optional<String> volume(PodDiagnosis pod) {
        return describe(pod, VolumeClaimRule.KIND, "kubectl -n %s describe persistentvolumeclaim %s");
    }

    /** Returns a command about the first object of this kind in the evidence. The object is in the pod's namespace. */
    private static Optional<String> describe(PodDiagnosis pod, String kind, String command) {
        return first(pod, kind)
                .flatMap(it -> ShellWord.command(
                        command, pod.namespace(), it.name().substring(it.name().indexOf('/') + 1)));
    }

    private static Optional<Evidence> first(PodDiagnosis pod, String kind) {
        return pod.evidence().stream().filter(it -> it.kind().equals(kind)).findFirst();
    }

    /**
     * Returns a command that shows the terminating pod that still uses the devices. The finalizers or the node of that
     * pod show why it does not end.
     */
    private static Optional<String> holder(PodDiagnosis pod) {
        String name = pod.evidence().stream()
                .filter(evidence -> evidence.kind().equals("Pod"))
                .map(Evidence::name)
                .findFirst()
                .orElse(pod.fullName());
        int slash = name.indexOf('/');
        return ShellWord.command(
                "kubectl -n %s get pod %s -o yaml", name.substring(0, Math.max(0, slash)), name.substring(slash + 1));
    }
}
