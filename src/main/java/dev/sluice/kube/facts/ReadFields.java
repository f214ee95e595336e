package dev.sluice.kube.facts;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of the fields that some rule reads. Everything else is skipped unread, and so never stands in a file that
 * {@code --collect} writes: environment, volumes, annotations, addresses. {@link SharedItem} takes out images.
 */
final class ReadFields {

    /** Of every object. */
    private static final Set<String> METADATA = Set.of(
            "apiVersion",
            "controller",
            "creationTimestamp",
            "deletionTimestamp",
            "finalizers",
            "kind",
            "labels",
            "metadata",
            "name",
            "namespace",
            "ownerReferences",
            "resourceVersion",
            "spec",
            "status",
            "uid");

    /** Of conditions, container states, events and leases. */
    private static final Set<String> MESSAGES = Set.of(
            "component",
            "conditions",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "deprecatedSource",
            "eventTime",
            "exitCode",
            "finishedAt",
            "firstTimestamp",
            "involvedObject",
            "lastHeartbeatTime",
            "lastObservedTime",
            "lastProbeTime",
            "lastState",
            "lastTimestamp",
            "lastTransitionTime",
            "message",
            "note",
            "reason",
            "regarding",
            "renewTime",
            "reportingComponent",
            "reportingController",
            "running",
            "series",
            "source",
            "startedAt",
            "state",
            "terminated",
            "type",
            "waiting");

    /** Of nodes, and of what pods demand of them. */
    private static final Set<String> PLACES = Set.of(
            "affinity",
            "allocatable",
            "capacity",
            "effect",
            "key",
            "labelSelector",
            "matchExpressions",
            "matchFields",
            "matchLabelKeys",
            "matchLabels",
            "maxSkew",
            "minDomains",
            "mismatchLabelKeys",
            "namespaceSelector",
            "namespaces",
            "nodeAffinity",
            "nodeAffinityPolicy",
            "nodeName",
            "nodeSelector",
            "nodeSelectorTerms",
            "nodeTaintsPolicy",
            "operator",
            "podAffinity",
            "podAntiAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "taints",
            "tolerations",
            "topologyKey",
            "topologySpreadConstraints",
            "unschedulable",
            "value",
            "values",
            "whenUnsatisfiable");

    private static final Set<String> PODS = Set.of(
            "activeDeadlineSeconds",
            "allocatedResources",
            "args",
            "command",
            "containerStatuses",
            "containers",
            "ephemeralContainerStatuses",
            SharedItem.IMAGE,
            "initContainerStatuses",
            "initContainers",
            "limits",
            "nominatedNodeName",
            "overhead",
            "phase",
            "priority",
            "priorityClassName",
            "requests",
            "resourceClaimName",
            "resourceClaimStatuses",
            "resourceClaims",
            "resources",
            "restartPolicy",
            "schedulerName",
            "schedulingGates");

    /** Of owners, quotas, claims and classes. */
    private static final Set<String> OTHERS = Set.of(
            "active",
            "allocation",
            "caBundle",
            "clientConfig",
            "completions",
            "currentNumberScheduled",
            "desiredNumberScheduled",
            "deviceClassName",
            "devices",
            "exactly",
            "extendedResourceName",
            "failurePolicy",
            "firstAvailable",
            "globalDefault",
            "hard",
            "parallelism",
            "podManagementPolicy",
            "replicas",
            "reservedFor",
            "scopeName",
            "scopeSelector",
            "scopes",
            "service",
            "succeeded",
            "suspend",
            "template",
            "used",
            "webhooks");

    private static final Set<String> ALL = Stream.of(METADATA, MESSAGES, PLACES, PODS, OTHERS)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** The fields of an object that are read. */
    static final Predicate<String> READ = ALL::contains;

    /** Maps whose keys users choose. */
    private static final Set<String> WHOLE = Set.of(
            "allocatable",
            "allocatedResources",
            "capacity",
            "hard",
            "labels",
            "limits",
            "matchLabels",
            "namespaceSelector",
            "nodeSelector",
            "overhead",
            "requests",
            "used");

    private ReadFields() {}

    /** The fields that are read of the object that is the value of this field. */
    static Predicate<String> within(String field) {
        return WHOLE.contains(field) ? _ -> true : READ;
    }
}
