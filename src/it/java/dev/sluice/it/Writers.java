package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Create pods together, as fast as they are answered. */
final class Writers {

    private static final int COUNT = 32;

    private Writers() {}

    /** What was answered to each, by its name. */
    static Map<String, Api.Answer> create(Cluster cluster, List<Pod> pods, String namespace)
            throws InterruptedException, ExecutionException {
        Map<String, Api.Answer> answers = new ConcurrentHashMap<>();
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                writers.add(threads.submit(() -> {
                    for (int at = next.getAndIncrement(); at < pods.size(); at = next.getAndIncrement()) {
                        Pod pod = pods.get(at);
                        answers.put(pod.getMetadata().getName(), cluster.create(pod, namespace));
                    }
                    return next;
                }));
            }
            for (Future<?> writer : writers) {
                var _ = writer.get();
            }
        }
        return answers;
    }
}
