package dev.sluice.doctor;

import dev.sluice.doctor.Cause.Evidence;

/** One command for each verdict, which shows the object that has to change. */
public final class NextStep {

    private NextStep() {}

    public static String of(VerdictCode verdict, PodVerdict pod) {
        String inNamespace = "kubectl -n " + pod.namespace() + " ";
        String evidence =
                pod.evidence().isEmpty() ? "" : " " + pod.evidence().getFirst().name();
        return switch (verdict) {
            case REQUESTS_WITHOUT_LIMITS, QUOTA_EXCEEDED -> inNamespace + owner(verdict, pod);
            case SCHEDULING_GATED, OTHER_SCHEDULER, HEALTHY -> inNamespace + "describe pod " + pod.name();
            case UNKNOWN_PROFILE, NO_GPU_NODES, NEVER_FITS_ONE_NODE, FRAGMENTED -> "sluice capacity";
            case DRA_CLAIM_UNSATISFIED -> inNamespace + "get resourceclaims";
            case PLUGIN_NOT_REGISTERED, PLUGIN_STOPPED ->
                "kubectl get pods -A -o wide --field-selector spec.nodeName=" + evidence.strip();
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING, MIG_WITHOUT_INSTANCES ->
                "kubectl get pods -A -o wide -l app=nvidia-mig-manager --field-selector spec.nodeName="
                        + evidence.strip();
            case UNHEALTHY_DEVICES, CONSTRAINT_MISMATCH -> "kubectl describe node" + evidence;
            case HELD_BY_TERMINATING -> holder(pod);
            case ALL_USED -> "sluice capacity --by pod";
            case SHARED_REQUEST_TOO_LARGE, KUBELET_REFUSED -> inNamespace + "get pod " + pod.name() + " -o yaml";
        };
    }

    /** The pod that does not end says why: by its finalizers, or by a node that is gone. */
    private static String holder(PodVerdict pod) {
        String[] name = pod.evidence().stream()
                .filter(evidence -> evidence.kind().equals("Pod"))
                .map(Evidence::name)
                .findFirst()
                .orElse(pod.fullName())
                .split("/", 2);
        return "kubectl -n " + name[0] + " get pod " + name[1] + " -o yaml";
    }

    private static String owner(VerdictCode verdict, PodVerdict pod) {
        return verdict == VerdictCode.QUOTA_EXCEEDED ? "describe resourcequota" : "get " + pod.name() + " -o yaml";
    }
}
