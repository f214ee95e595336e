package dev.sluice.it;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pods that the API server stores, from several namespaces. For several threads.
 *
 * <p>They are deleted by plain requests: a typed client refuses to read the keys that a long name makes.
 */
final class PodAbuses implements AutoCloseable {

    private static final int NAMESPACES = 4;
    /** The oldest is deleted for each one more: what decoders keep of pods that are gone is a part of the abuse. */
    private static final int MOST = 40;

    private final Cluster cluster;
    private final List<String> namespaces;
    private final Deque<String> stored = new ArrayDeque<>();
    private final AtomicInteger names = new AtomicInteger();

    PodAbuses(Cluster cluster) {
        this.cluster = cluster;
        this.namespaces = IntStream.range(0, NAMESPACES)
                .mapToObj(number -> cluster.sibling("-hostile-" + number))
                .toList();
    }

    List<Abuse> all() {
        return List.of(
                new Abuse("pods with many affinity values", random -> stored(random, affinity(), "")),
                new Abuse("pods with a very long name in them", random -> stored(random, plain(longName()), "")),
                new Abuse(
                        "bound GPU pods with zero-valued names",
                        random -> stored(random, plain(zeros()), node(random))),
                new Abuse("bound GPU pods", random -> stored(random, plain(gpus(random)), node(random))),
                new Abuse("waiting GPU pods", random -> stored(random, plain(gpus(random)), "")),
                new Abuse("pods with large annotations", random -> annotated(random)));
    }

    private static String node(RandomGenerator random) {
        return "\"nodeName\":\"gpu-" + random.nextInt(HostileHourIT.NODES) + "\",";
    }

    private static String gpus(RandomGenerator random) {
        int count = 1 + random.nextInt(8);
        return "\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"" + count + "\"}}";
    }

    private static String zeros() {
        return IntStream.range(0, 2_100)
                .mapToObj(number -> "\"a.b/" + number + "\":\"0\"")
                .collect(Collectors.joining(",", "\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"8\",", "}}"));
    }

    private static String longName() {
        return "\"env\":[{\"name\":\"" + "N".repeat(60_000) + "\",\"value\":\"v\"}]";
    }

    private static String plain(String field) {
        return "\"containers\":[{\"name\":\"c\",\"image\":\"i\"," + field + "}]";
    }

    private static String affinity() {
        return plain("\"env\":[]")
                + ",\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
                + "{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":["
                + IntStream.range(0, 320_000)
                        .mapToObj(number -> "\"" + (char) ('a' + number % 26) + "\"")
                        .collect(Collectors.joining(","))
                + "]}]}]}}}";
    }

    private void annotated(RandomGenerator random) throws IOException, InterruptedException {
        String note = "\u00fc\\u0000\ud83d\ude00".repeat(10_000 + random.nextInt(10_000));
        create(random, "{\"note\":\"" + note + "\"}", plain("\"env\":[]"));
    }

    private void stored(RandomGenerator random, String spec, String node) throws IOException, InterruptedException {
        create(random, "{}", node + spec);
    }

    private void create(RandomGenerator random, String annotations, String spec)
            throws IOException, InterruptedException {
        String namespace = namespaces.get(random.nextInt(NAMESPACES));
        String name = "hostile-" + names.incrementAndGet();
        Api.Answer answer = cluster.plane()
                .api()
                .create(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name
                                + "\",\"annotations\":" + annotations
                                + "},\"spec\":{\"terminationGracePeriodSeconds\":0," + spec + "}}",
                        path(namespace));
        if (answer.status() != 201) {
            throw new IOException(answer.status() + ": " + answer.message());
        }
        keep(namespace, name);
    }

    private synchronized void keep(String namespace, String name) throws IOException, InterruptedException {
        stored.addLast(path(namespace) + "/" + name);
        if (stored.size() > MOST) {
            delete(stored.removeFirst());
        }
    }

    private static String path(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    private void delete(String path) throws IOException, InterruptedException {
        var _ = cluster.plane().api().delete(path + "?gracePeriodSeconds=0");
    }

    @Override
    public void close() throws IOException {
        try {
            for (String namespace : namespaces) {
                delete(path(namespace));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
