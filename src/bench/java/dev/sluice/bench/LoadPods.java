package dev.sluice.bench;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pods as a user writes them, about 2 KB of JSON; every second one asks for a slice that no node has. They name a
 * scheduler that does not exist, so that nothing happens to a pod after it was created.
 */
final class LoadPods {

    private static final List<PodKind> KINDS = List.of(PodKind.OFFERED, PodKind.FALLS_BACK);
    private static final int VARIABLES = 12;

    private LoadPods() {}

    /** The same for the same number. */
    static String pod(int number) {
        SplittableRandom random = new SplittableRandom(number);
        PodKind kind = KINDS.get(number % KINDS.size());
        String environment = IntStream.range(0, VARIABLES)
                .mapToObj(at -> "{\"name\":\"SETTING_%d\",\"value\":\"%s\"}".formatted(at, SampleNodes.hex(random)))
                .collect(Collectors.joining(","));
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"train-%05d",\
                "labels":{"app.kubernetes.io/name":"trainer","app.kubernetes.io/instance":"train-%s","team":"vision"},\
                "annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9400","checksum/config":"%s%s"}},\
                "spec":{"schedulerName":"nobody","restartPolicy":"Never",\
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"dataset-%d"}},\
                {"name":"shm","emptyDir":{"medium":"Memory","sizeLimit":"16Gi"}}],\
                "initContainers":[{"name":"fetch","image":"registry.example.com/tools/fetch:1.4",\
                "args":["--to","/data"],"resources":{"limits":{"cpu":"1","memory":"1Gi"}},\
                "volumeMounts":[{"name":"data","mountPath":"/data"}]}],\
                "containers":[{"name":"train","image":"registry.example.com/vision/trainer:%d",\
                "command":["python","-m","trainer"],"args":["--epochs","90","--resume"],"env":[%s],\
                "resources":{"limits":{"cpu":"8","memory":"64Gi",%s}},\
                "volumeMounts":[{"name":"data","mountPath":"/data"},{"name":"shm","mountPath":"/dev/shm"}],\
                "securityContext":{"allowPrivilegeEscalation":false}}],\
                "tolerations":[{"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"}],\
                "securityContext":{"runAsNonRoot":true}}}""".formatted(
                        number,
                        SampleNodes.hex(random),
                        SampleNodes.hex(random),
                        SampleNodes.hex(random),
                        random.nextInt(500),
                        random.nextInt(90),
                        environment,
                        kind.devices());
    }
}
