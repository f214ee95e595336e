package dev.sluice.app;

import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.kube.client.OwnRequiredRight;
import dev.sluice.record.summary.SummaryVerticle;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rights that a gateway with these settings needs from the API server. The manifests in {@code k8s} grant them.
 * Optional rights are not included. For example, the right to list pods is optional in allocatable mode, because that
 * mode only displays pods.
 */
record GatewayPartsRights(SluiceParts parts) {

    private static final String BASE = "k8s/base";
    private static final String PODS = "k8s/components/capacity";
    private static final String DRA = "resource.k8s.io";

    /** Returns the rights, the most important ones first. */
    List<OwnRequiredRight> in(String namespace) {
        List<OwnRequiredRight> all = new ArrayList<>();
        all.addAll(read("", "nodes", "decisions", BASE));
        all.addAll(read("", "limitranges", "decisions", BASE));
        all.addAll(read(DRA, "deviceclasses", "decisions", BASE));
        all.addAll(read(DRA, "resourceslices", "decisions", BASE));
        if (parts.policy().policies().reserve()) {
            all.addAll(availability(namespace));
        }
        if (parts.certificates()
                .filter(CertificateSource.OwnAuthority.class::isInstance)
                .isPresent()) {
            all.addAll(selfManaged(namespace));
        }
        if (parts.source() instanceof ClusterSource.Live live && live.summary()) {
            all.addAll(summary(namespace));
        }
        if (parts.events()) {
            all.addAll(events());
        }
        if (parts.diagnosisPause().isPositive()) {
            all.addAll(diagnosis());
        }
        if (parts.management().isSsl()) {
            all.addAll(access());
        }
        return all.stream().distinct().toList();
    }

    private static List<OwnRequiredRight> read(String group, String resource, String neededFor, String grantedBy) {
        return OwnRequiredRight.everywhere(group, resource, neededFor, grantedBy, "list", "watch");
    }

    private static List<OwnRequiredRight> availability(String namespace) {
        String mode = "policy.mode: availability";
        String granting = "k8s/components/availability";
        List<OwnRequiredRight> all = new ArrayList<>(read("", "pods", mode, granting));
        OwnRequiredRight.everywhere("coordination.k8s.io", "leases", mode, granting, "create", "get", "update")
                .forEach(right -> all.add(right.of(namespace, right.verb().equals("create") ? null : "gpu-webhook")));
        return all;
    }

    private static List<OwnRequiredRight> selfManaged(String namespace) {
        String mode = "tls.mode: self-managed";
        String granting = "k8s/components/self-managed";
        List<OwnRequiredRight> all = new ArrayList<>();
        OwnRequiredRight.everywhere("", "secrets", mode, granting, "get", "watch", "create", "patch", "update")
                .forEach(right -> all.add(right.of(namespace, StoredTrust.SECRET)));
        OwnRequiredRight.everywhere(
                        "admissionregistration.k8s.io",
                        "mutatingwebhookconfigurations",
                        mode,
                        granting,
                        "get",
                        "watch",
                        "patch")
                .forEach(right -> all.add(right.of(null, StoredTrust.CONFIGURATION)));
        return all;
    }

    private static List<OwnRequiredRight> summary(String namespace) {
        return OwnRequiredRight.everywhere("", "configmaps", "kubernetes.summary: true", BASE, "get", "patch").stream()
                .map(right -> right.of(namespace, SummaryVerticle.CONFIG_MAP))
                .toList();
    }

    /**
     * Returns the rights for Events. They include the rights to list and watch pods, because the Event about a pod is
     * written only after the watch has reported the pod.
     */
    private static List<OwnRequiredRight> events() {
        String key = "kubernetes.events: true";
        String granting = "k8s/components/events";
        List<OwnRequiredRight> all = new ArrayList<>(read("", "pods", key, PODS));
        all.addAll(OwnRequiredRight.everywhere("events.k8s.io", "events", key, granting, "create", "patch"));
        all.addAll(OwnRequiredRight.everywhere("", "pods", key, granting, "get"));
        all.addAll(OwnRequiredRight.everywhere("apps", "replicasets", key, granting, "get"));
        all.addAll(OwnRequiredRight.everywhere("batch", "jobs", key, granting, "get"));
        return all;
    }

    private static List<OwnRequiredRight> diagnosis() {
        String key = "management.diagnosisSeconds";
        return Arrays.stream(ClusterFactKind.values())
                .filter(kind -> !kind.isOptional())
                .flatMap(kind ->
                        OwnRequiredRight.everywhere(group(kind), kind.plural(), key, grantingToDiagnose(kind), "list")
                                .stream())
                .toList();
    }

    private static String grantingToDiagnose(ClusterFactKind kind) {
        return switch (kind) {
            case NODES -> BASE;
            case PODS -> PODS;
            default -> "k8s/components/diagnosis";
        };
    }

    private static String group(ClusterFactKind kind) {
        int slash = kind.apiVersion().indexOf('/');
        return slash < 0 ? "" : kind.apiVersion().substring(0, slash);
    }

    private static List<OwnRequiredRight> access() {
        String key = "management.access: kubernetes";
        String granting = "k8s/components/secure-management";
        List<OwnRequiredRight> all = new ArrayList<>(
                OwnRequiredRight.everywhere("authentication.k8s.io", "tokenreviews", key, granting, "create"));
        all.addAll(
                OwnRequiredRight.everywhere("authorization.k8s.io", "subjectaccessreviews", key, granting, "create"));
        return all;
    }
}
