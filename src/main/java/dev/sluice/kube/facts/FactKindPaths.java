package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.kube.client.ApiResource;
import java.util.List;
import java.util.stream.Stream;

/** Contains the paths under which the API server serves each kind of object. */
final class FactKindPaths {

    private FactKindPaths() {}

    /**
     * Returns the paths for a kind, newest version first. DRA is v1 since Kubernetes 1.34, v1beta2 since 1.33 and
     * v1beta1 since 1.32.
     */
    static List<ApiResource> of(ClusterFactKind kind) {
        return switch (kind) {
            case NODES, PODS, EVENTS, RESOURCE_QUOTAS -> versions("api", "v1", kind);
            case REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS -> versions("apis/apps", "v1", kind);
            case JOBS -> versions("apis/batch", "v1", kind);
            case PRIORITY_CLASSES -> versions("apis/scheduling.k8s.io", "v1", kind);
            case DEVICE_CLASSES, RESOURCE_CLAIMS, RESOURCE_SLICES ->
                versions("apis/resource.k8s.io", "v1 v1beta2 v1beta1", kind);
            case MUTATING_WEBHOOKS -> versions("apis/admissionregistration.k8s.io", "v1", kind);
            case QUEUED_WORKLOADS -> versions("apis/kueue.x-k8s.io", "v1beta2 v1beta1", kind);
            case LEASES -> versions("apis/coordination.k8s.io", "v1", kind);
        };
    }

    private static List<ApiResource> versions(String group, String versions, ClusterFactKind kind) {
        return Stream.of(versions.split(" ", -1))
                .map(version -> new ApiResource(group + "/" + version + "/" + kind.plural(), ""))
                .toList();
    }
}
