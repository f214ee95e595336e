package dev.sluice.bench;

import dev.sluice.it.LoadStage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** So many threads that create pods as fast as they are answered. Has one owner. */
final class Writers implements AutoCloseable {

    private final int count;
    private final ExecutorService threads;

    Writers(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(count);
    }

    /** How a pod is handed in. */
    interface Way {
        LoadStage.Answer send(String pod) throws Exception;
    }

    /**
     * What came back.
     *
     * @param seconds from the first request to the last answer
     * @param median of the seconds until one pod was answered
     * @param slowest the 99th percentile of them
     */
    record Result(int created, int changed, double seconds, double median, double slowest) {}

    Result send(List<String> pods, Way way) throws InterruptedException, ExecutionException {
        long[] latencies = new long[pods.size()];
        AtomicInteger next = new AtomicInteger();
        AtomicInteger created = new AtomicInteger();
        AtomicInteger changed = new AtomicInteger();
        long begin = System.nanoTime();
        together(() -> {
            for (int at = next.getAndIncrement(); at < pods.size(); at = next.getAndIncrement()) {
                long start = System.nanoTime();
                LoadStage.Answer answer = way.send(pods.get(at));
                latencies[at] = System.nanoTime() - start;
                created.addAndGet(answer.isCreated() ? 1 : 0);
                changed.addAndGet(answer.isChanged() ? 1 : 0);
                if (!answer.isCreated()) {
                    System.out.println(answer);
                }
            }
            return next;
        });
        double seconds = (System.nanoTime() - begin) / 1e9;
        Arrays.sort(latencies);
        return new Result(
                created.get(),
                changed.get(),
                seconds,
                latencies[latencies.length / 2] / 1e9,
                latencies[latencies.length * 99 / 100] / 1e9);
    }

    private void together(Callable<?> work) throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        for (int writer = 0; writer < count; writer++) {
            running.add(threads.submit(work));
        }
        for (Future<?> each : running) {
            var _ = each.get();
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
