package dev.sluice.bench;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reviews as the API server sends them for pods that a controller creates: about 6 KB, no two alike. */
final class SamplePods {

    private static final int VARIABLES = 12;

    private SamplePods() {}

    /** The bytes of a review; the same for the same numbers. */
    static byte[] review(PodKind kind, int number, String node) {
        SplittableRandom random = new SplittableRandom(number);
        String owner = "job-" + SampleNodes.hex(random);
        return """
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"%s",\
                "kind":{"group":"","version":"v1","kind":"Pod"},\
                "resource":{"group":"","version":"v1","resource":"pods"},\
                "requestKind":{"group":"","version":"v1","kind":"Pod"},\
                "requestResource":{"group":"","version":"v1","resource":"pods"},\
                "namespace":"team-%d","operation":"CREATE",\
                "userInfo":{"username":"system:serviceaccount:kube-system:job-controller","uid":"%s",\
                "groups":["system:serviceaccounts","system:serviceaccounts:kube-system","system:authenticated"],\
                "extra":{"authentication.kubernetes.io/credential-id":["JTI=%s"]}},\
                "object":{"kind":"Pod","apiVersion":"v1","metadata":%s,"spec":%s,"status":{}},\
                "oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1"}}}""".formatted(
                        SampleNodes.uuid(random),
                        random.nextInt(40),
                        SampleNodes.uuid(random),
                        SampleNodes.uuid(random),
                        metadata(owner, random),
                        spec(kind, owner, node, random))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Such a pod as the API server stores it once it runs; its name and uid are those of {@code number}. */
    static String stored(PodKind kind, int number, String node) {
        SplittableRandom random = new SplittableRandom(number);
        String owner = "job-" + SampleNodes.hex(random);
        String metadata = metadata(owner, random);
        String spec = spec(kind, owner, node, random);
        return """
                {"metadata":{"name":"pod-%08d","namespace":"team-%d",\
                "uid":"00000000-0000-4000-8000-0000%08d","resourceVersion":"%d",%s,"spec":%s,\
                "status":{"phase":"Running","conditions":[%s],"hostIP":"10.0.0.7","podIP":"10.1.2.3",\
                "podIPs":[{"ip":"10.1.2.3"}],"startTime":"2026-11-21T09:14:30Z",\
                "initContainerStatuses":[%s],"containerStatuses":[%s],"qosClass":"Guaranteed"}}""".formatted(
                        number,
                        random.nextInt(40),
                        number,
                        1_000 + number,
                        metadata.substring(1),
                        spec.replace("\"schedulerName\"", "\"nodeName\":\"" + node + "\",\"schedulerName\""),
                        conditions(),
                        status("fetch", "\"cpu\":\"1\",\"memory\":\"1Gi\"", random),
                        status(container(owner), "\"cpu\":\"8\",\"memory\":\"64Gi\"", random));
    }

    private static String conditions() {
        return IntStream.range(0, 5)
                .mapToObj(
                        "{\"type\":\"Condition%d\",\"status\":\"True\",\"lastTransitionTime\":\"2026-11-21T09:14:31Z\"}"
                                ::formatted)
                .collect(Collectors.joining(","));
    }

    private static String status(String container, String resources, SplittableRandom random) {
        return """
                {"name":"%s","state":{"running":{"startedAt":"2026-11-21T09:14:33Z"}},"lastState":{},"ready":true,\
                "restartCount":0,"image":"registry.example.com/vision/trainer","imageID":"sha256:%s",\
                "containerID":"containerd://%s","started":true,"allocatedResources":{%s},\
                "resources":{"limits":{%s},"requests":{%s}}}""".formatted(
                        container, SampleNodes.hex(random), SampleNodes.hex(random), resources, resources, resources);
    }

    /** What the decoder makes of such a review. */
    static PodRequest pod(PodKind kind, String node) {
        try {
            AdmissionReview review = new ReviewDecoder().decode(review(kind, 1, node));
            return switch (review.object()) {
                case AdmissionReview.PodObject.ReadPod pod -> pod.request();
                case AdmissionReview.PodObject.Absent _, AdmissionReview.PodObject.UnreadableObject _ ->
                    throw new IllegalStateException(review.object().toString());
            };
        } catch (NotAReviewException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    private static String metadata(String owner, SplittableRandom random) {
        String uid = SampleNodes.uuid(random);
        return """
                {"generateName":"%s-","creationTimestamp":null,\
                "labels":{"app.kubernetes.io/name":"trainer","app.kubernetes.io/instance":"%s","team":"vision",\
                "batch.kubernetes.io/controller-uid":"%s","batch.kubernetes.io/job-name":"%s"},\
                "annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9400",\
                "checksum/config":"%s%s","cluster-autoscaler.kubernetes.io/safe-to-evict":"false"},\
                "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"%s","uid":"%s",\
                "controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],\
                "managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1",\
                "time":"2026-11-21T09:14:27Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{\
                "f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/port":{},"f:prometheus.io/scrape":{}},\
                "f:finalizers":{".":{},"v:\\"batch.kubernetes.io/job-tracking\\"":{}},"f:generateName":{},\
                "f:labels":{".":{},"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/name":{},"f:team":{}},\
                "f:ownerReferences":{".":{},"k:{\\"uid\\":\\"%s\\"}":{}}},"f:spec":{"f:containers":{\
                "k:{\\"name\\":\\"%s\\"}":{".":{},"f:args":{},"f:command":{},"f:env":{%s},"f:image":{},\
                "f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:limits":{},"f:requests":{}},\
                "f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},\
                "k:{\\"mountPath\\":\\"/data\\"}":{".":{},"f:mountPath":{},"f:name":{}},\
                "k:{\\"mountPath\\":\\"/dev/shm\\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},\
                "f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},\
                "f:terminationGracePeriodSeconds":{},"f:tolerations":{},"f:volumes":{".":{},\
                "k:{\\"name\\":\\"data\\"}":{".":{},"f:name":{},"f:persistentVolumeClaim":{".":{},"f:claimName":{}}},\
                "k:{\\"name\\":\\"shm\\"}":{".":{},"f:emptyDir":{".":{},"f:medium":{}},"f:name":{}}}}}}]}""".formatted(
                        owner,
                        owner,
                        uid,
                        owner,
                        SampleNodes.hex(random),
                        SampleNodes.hex(random),
                        owner,
                        uid,
                        uid,
                        container(owner),
                        managedVariables());
    }

    private static String container(String owner) {
        return "train-" + owner.substring(owner.length() - 5);
    }

    private static String managedVariables() {
        return IntStream.range(0, VARIABLES)
                .mapToObj("\"k:{\\\"name\\\":\\\"SETTING_%d\\\"}\":{\".\":{},\"f:name\":{},\"f:value\":{}}"::formatted)
                .collect(Collectors.joining(","));
    }

    private static String spec(PodKind kind, String owner, String node, SplittableRandom random) {
        String resources = "\"cpu\":\"8\",\"memory\":\"64Gi\"," + kind.devices();
        return """
                {"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"dataset-%d"}},\
                {"name":"shm","emptyDir":{"medium":"Memory","sizeLimit":"16Gi"}},\
                {"name":"kube-api-access-x7k2p","projected":{"sources":[{"serviceAccountToken":{\
                "expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[\
                {"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{\
                "apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],\
                "initContainers":[{"name":"fetch","image":"registry.example.com/tools/fetch:1.4.%d",\
                "args":["--to","/data"],"resources":{"limits":{"cpu":"1","memory":"1Gi"},\
                "requests":{"cpu":"1","memory":"1Gi"}},"volumeMounts":[{"name":"data","mountPath":"/data"}],\
                "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
                "imagePullPolicy":"IfNotPresent"}],\
                "containers":[{"name":"%s","image":"registry.example.com/vision/trainer@sha256:%s%s%s%s",\
                "command":["python","-m","trainer"],"args":["--epochs","90","--resume"],"env":[%s],\
                "resources":{"limits":{%s},"requests":{%s}},\
                "volumeMounts":[{"name":"data","mountPath":"/data"},{"name":"shm","mountPath":"/dev/shm"},\
                {"name":"kube-api-access-x7k2p","readOnly":true,\
                "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],\
                "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
                "imagePullPolicy":"IfNotPresent","securityContext":{"allowPrivilegeEscalation":false}}],\
                "restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",\
                "serviceAccountName":"default","serviceAccount":"default",%s"securityContext":{"runAsNonRoot":true},\
                "schedulerName":"default-scheduler","tolerations":[\
                {"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"},\
                {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},\
                {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute",\
                "tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,\
                "preemptionPolicy":"PreemptLowerPriority"}""".formatted(
                        random.nextInt(500),
                        random.nextInt(9),
                        container(owner),
                        SampleNodes.hex(random),
                        SampleNodes.hex(random),
                        SampleNodes.hex(random),
                        SampleNodes.hex(random),
                        variables(random),
                        resources,
                        resources,
                        kind.constraints(node));
    }

    private static String variables(SplittableRandom random) {
        return IntStream.range(0, VARIABLES)
                .mapToObj(at -> "{\"name\":\"SETTING_%d\",\"value\":\"%s\"}".formatted(at, SampleNodes.hex(random)))
                .collect(Collectors.joining(","));
    }
}
