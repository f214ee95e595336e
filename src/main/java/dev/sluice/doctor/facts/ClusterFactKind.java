package dev.sluice.doctor.facts;

import java.util.Arrays;
import java.util.Optional;

/**
 * Lists the kinds of objects that a diagnosis reads. Each constant says what a diagnosis cannot find out without the
 * kind.
 */
public enum ClusterFactKind {
    NODES(
            "Node",
            "",
            "nodes",
            "no node can be judged: only gates, refusals, quotas, limits and claims are"
                    + " told; every other pending pod has no verdict"),
    PODS(
            "Pod",
            "",
            "pods",
            "only owners that cannot create pods, and the nodes, are judged; what is in use is unknown"),
    EVENTS(
            "Event",
            "",
            "events",
            "the conditions of pods and ReplicaSets stand for messages; volumes and owners of other kinds may stay"
                    + " unseen"),
    RESOURCE_QUOTAS("ResourceQuota", "", "resourcequotas", "the numbers of a quota come from messages only"),
    REPLICA_SETS(
            "ReplicaSet",
            "apps",
            "replicasets",
            "the newest FailedCreate event stands for a ReplicaSet, whose template is unknown"),
    JOBS("Job", "batch", "jobs", "the newest FailedCreate event stands for a Job, whose template is unknown"),
    STATEFUL_SETS(
            "StatefulSet",
            "apps",
            "statefulsets",
            "the newest FailedCreate event stands for a StatefulSet, whose template is unknown"),
    DAEMON_SETS("DaemonSet", "apps", "daemonsets", "why a node has no plugin pod is told by the plugin pods only"),
    PRIORITY_CLASSES(
            "PriorityClass", "scheduling.k8s.io", "priorityclasses", "priorities are those that stand in the pods"),
    DEVICE_CLASSES(
            "DeviceClass",
            "resource.k8s.io",
            "deviceclasses",
            "resources that are mapped to device classes are not recognised"),
    RESOURCE_CLAIMS(
            "ResourceClaim",
            "resource.k8s.io",
            "resourceclaims",
            "claims cannot be judged; pods with claims are judged by the scheduler's message"),
    RESOURCE_SLICES(
            "ResourceSlice",
            "resource.k8s.io",
            "resourceslices",
            "nodes that DRA manages are known by their driver's pods only"),
    LEASES("Lease", "coordination.k8s.io", "leases", "whether another scheduler runs is told by pods and events only"),
    MUTATING_WEBHOOKS(
            "MutatingWebhookConfiguration",
            "admissionregistration.k8s.io",
            "mutatingwebhookconfigurations",
            "a report does not tell whether the API server asks Sluice"),
    QUEUED_WORKLOADS(
            "Workload", "kueue.x-k8s.io", "workloads", "what Kueue says of a Workload is told by its events only");

    private static final String EVENTS_GROUP = "events.k8s.io";

    private final String kind;
    private final String group;
    private final String plural;
    private final String without;

    ClusterFactKind(String kind, String group, String plural, String without) {
        this.kind = kind;
        this.group = group;
        this.plural = plural;
        this.without = without;
    }

    /**
     * Returns true if a diagnosis is complete without this kind: webhooks are only used for reports, and Workloads
     * exist only in clusters with Kueue. A gateway does not read these kinds, and no diagnosis reports that they are
     * missing.
     */
    public boolean isOptional() {
        return this == MUTATING_WEBHOOKS || this == QUEUED_WORKLOADS;
    }

    /** Returns the plural name of the kind in lower case, as in the API. */
    public String plural() {
        return plural;
    }

    public String kind() {
        return kind;
    }

    /** Returns the newest API version of the kind, for example {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? "v1" : group + "/v1";
    }

    /** Returns a clause about what a report cannot say if no object of the kind was collected. */
    public String without() {
        return without;
    }

    /** Returns the kind with the given plural name. */
    public static Optional<ClusterFactKind> ofPlural(String plural) {
        return Arrays.stream(values())
                .filter(kind -> kind.plural.equals(plural))
                .findFirst();
    }

    /**
     * Returns the kind with the given name and API group. The group is compared because other groups have kinds of the
     * same name: Volcano has a Job, and Longhorn has a Node.
     *
     * @param apiVersion the API version; if it contains no group, only the name is compared
     */
    public static Optional<ClusterFactKind> of(String kind, String apiVersion) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return Arrays.stream(values())
                .filter(known -> known.kind.equals(kind))
                .filter(known ->
                        group.isEmpty() || known.group.equals(group) || (known == EVENTS && group.equals(EVENTS_GROUP)))
                .findFirst();
    }
}
