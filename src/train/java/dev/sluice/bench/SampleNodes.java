package dev.sluice.bench;

import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes as {@code kubectl get nodes -o json} prints them, about 8 KB each: the same ones for the same numbers. */
final class SampleNodes {

    /** As many nodes stand in one rack; the label of the rack has few values in a small cluster, many in a large. */
    private static final int NODES_PER_RACK = 32;

    private static final int IMAGES = 14;

    /** One node in so many is cordoned, which Kubernetes shows as a temporary taint. */
    private static final int CORDONED = 25;

    private static final List<NodePool> POOLS = NodePool.all();
    private static final int SHARES = POOLS.stream().mapToInt(NodePool::share).sum();

    private SampleNodes() {}

    /** The JSON object of the node with this number, indented as an item of a list. */
    static String node(int number) {
        SplittableRandom random = new SplittableRandom(number);
        NodePool pool = poolOf(number);
        boolean cordoned = number % CORDONED == 0;
        return """
                        {
                            "apiVersion": "v1",
                            "kind": "Node",
                            "metadata": {
                                "annotations": {
                %s
                                },
                                "creationTimestamp": "2026-09-%02dT08:%02d:11Z",
                                "labels": {
                %s
                                },
                                "name": "%s",
                                "resourceVersion": "%d",
                                "uid": "%s"
                            },
                            "spec": {
                                "podCIDR": "10.%d.%d.0/24",
                                "podCIDRs": [
                                    "10.%d.%d.0/24"
                                ],
                                "providerID": "cloud:///zone-%d/i-%s",
                                "taints": [
                %s
                                ]%s
                            },
                            "status": {
                %s
                            }
                        }""".formatted(
                        lines(annotations(number, random)),
                        1 + number % 28,
                        number % 60,
                        lines(pool.labels(number, "rack-" + number / NODES_PER_RACK)),
                        name(number),
                        8_000_000 + number,
                        uuid(random),
                        number >> 8 & 255,
                        number & 255,
                        number >> 8 & 255,
                        number & 255,
                        number % NodePool.ZONES,
                        hex(random),
                        String.join(",\n", pool.taints(cordoned)),
                        cordoned ? ",\n\"unschedulable\": true" : "",
                        status(pool, number, random));
    }

    static String name(int number) {
        return "node-%06d.compute.internal".formatted(number);
    }

    /** Spread by a fixed hash, so that a cluster of any size has all pools in their shares. */
    private static NodePool poolOf(int number) {
        int point = new SplittableRandom(number * 31L).nextInt(SHARES);
        for (NodePool pool : POOLS) {
            point -= pool.share();
            if (point < 0) {
                return pool;
            }
        }
        throw new IllegalStateException("the shares of the pools do not add up");
    }

    private static List<String> annotations(int number, SplittableRandom random) {
        return List.of(
                "\"cluster.x-k8s.io/machine\": \"pool-%d-%s\"".formatted(number % 7, hex(random)),
                "\"csi.volume.kubernetes.io/nodeid\": \"{\\\"block.csi.example.com\\\":\\\"i-%s\\\"}\""
                        .formatted(hex(random)),
                "\"nfd.node.kubernetes.io/feature-labels\": \"cpu-cpuid.ADX,cpu-cpuid.AESNI,cpu-cpuid.AVX,"
                        + "cpu-cpuid.AVX2,cpu-cpuid.AVX512BW,cpu-cpuid.AVX512CD,cpu-cpuid.AVX512DQ,cpu-cpuid.FMA3,"
                        + "cpu-model.family,cpu-model.id,kernel-version.full,nvidia.com/gpu.count,pci-10de.present\"",
                "\"node.alpha.kubernetes.io/ttl\": \"0\"",
                "\"projectcalico.org/IPv4Address\": \"172.16.%d.%d/16\"".formatted(number >> 8 & 255, number & 255),
                "\"volumes.kubernetes.io/controller-managed-attach-detach\": \"true\"");
    }

    private static String status(NodePool pool, int number, SplittableRandom random) {
        String conditions =
                IntStream.range(0, 5).mapToObj(at -> condition(at, number)).collect(Collectors.joining(",\n"));
        String images = IntStream.range(0, IMAGES).mapToObj(_ -> image(random)).collect(Collectors.joining(",\n"));
        return """
                                "addresses": [
                                    {
                                        "address": "172.16.%d.%d",
                                        "type": "InternalIP"
                                    },
                                    {
                                        "address": "%s",
                                        "type": "Hostname"
                                    }
                                ],
                                "allocatable": {
                %s
                                },
                                "capacity": {
                %s
                                },
                                "conditions": [
                %s
                                ],
                                "images": [
                %s
                                ],
                                "nodeInfo": {
                                    "architecture": "amd64",
                                    "bootID": "%s",
                                    "containerRuntimeVersion": "containerd://2.1.4",
                                    "kernelVersion": "6.8.0-64-generic",
                                    "kubeletVersion": "v1.36.2",
                                    "machineID": "%s",
                                    "operatingSystem": "linux",
                                    "osImage": "Ubuntu 24.04.3 LTS",
                                    "systemUUID": "%s"
                                }""".formatted(
                        number >> 8 & 255,
                        number & 255,
                        name(number),
                        lines(pool.allocatable()),
                        lines(pool.capacity()),
                        conditions,
                        images,
                        uuid(random),
                        hex(random) + hex(random),
                        uuid(random));
    }

    private static String condition(int at, int number) {
        String type = List.of("NetworkUnavailable", "MemoryPressure", "DiskPressure", "PIDPressure", "Ready")
                .get(at);
        return """
                                    {
                                        "lastHeartbeatTime": "2026-11-20T10:%02d:42Z",
                                        "lastTransitionTime": "2026-09-%02dT08:11:57Z",
                                        "message": "kubelet has sufficient resources for %s",
                                        "reason": "KubeletHas%s",
                                        "status": "%s",
                                        "type": "%s"
                                    }""".formatted(number % 60, 1 + number % 28, type, type, type.equals("Ready") ? "True" : "False", type);
    }

    private static String image(SplittableRandom random) {
        String digest = hex(random) + hex(random) + hex(random) + hex(random);
        String repository = "registry.example.com/platform/component-" + random.nextInt(400);
        return """
                                    {
                                        "names": [
                                            "%s@sha256:%s",
                                            "%s:v%d.%d.%d"
                                        ],
                                        "sizeBytes": %d
                                    }""".formatted(
                        repository,
                        digest,
                        repository,
                        random.nextInt(9),
                        random.nextInt(30),
                        random.nextInt(9),
                        random.nextLong(5_000_000, 9_000_000_000L));
    }

    static String hex(SplittableRandom random) {
        return "%016x".formatted(random.nextLong());
    }

    static String uuid(SplittableRandom random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private static String lines(Collection<String> members) {
        return members.stream().map(member -> " ".repeat(20) + member).collect(Collectors.joining(",\n"));
    }
}
