package dev.sluice.bench;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.impl.VertxThread;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What event loops and the process have taken since the last look. Turns are looked at once a millisecond. */
final class LoopMeter {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Map<String, Loop> loops = new ConcurrentSkipListMap<>();
    private final List<Collector> collectors =
            ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                    .map(Collector::new)
                    .toList();
    private long begun = System.nanoTime();
    private long processor = PROCESS.getProcessCpuTime();
    private long collecting = collectingMillis();

    /** The collector is asked for details only after it has collected again. */
    private static final class Collector {
        private final GarbageCollectorMXBean collector;
        private final AtomicLong longest = new AtomicLong();
        private long seen;

        Collector(GarbageCollectorMXBean collector) {
            this.collector = collector;
        }

        void look() {
            long count = collector.getCollectionCount();
            if (count != seen) {
                seen = count;
                longest.accumulateAndGet(collector.getLastGcInfo().getDuration(), Math::max);
            }
        }
    }

    private static final class Loop {
        private final VertxThread thread;
        private final AtomicLong longest = new AtomicLong();
        private final AtomicLong longestWork = new AtomicLong();
        private volatile String place = "";
        private long turn;
        private long workBefore;
        private long processor;

        Loop(VertxThread thread) {
            this.thread = thread;
        }

        /** Called by one thread. */
        void look() {
            long start = thread.startTime();
            if (start == 0) {
                return;
            }
            longest.accumulateAndGet(System.nanoTime() - start, Math::max);
            long work = processorTime();
            if (start != turn) {
                turn = start;
                workBefore = work;
            }
            if (work - workBefore > longestWork.get()) {
                longestWork.set(work - workBefore);
                place = place();
            }
        }

        /** Where it is in the code of the gateway. */
        private String place() {
            return Stream.of(thread.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith("dev.sluice"))
                    .findFirst()
                    .map(frame -> " in " + frame.getFileName() + ":" + frame.getLineNumber())
                    .orElse("");
        }

        long processorTime() {
            return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
        }
    }

    LoopMeter() {
        Thread.ofPlatform().daemon().name("loop-meter").start(() -> {
            try {
                while (true) {
                    Thread.sleep(1);
                    loops.values().forEach(Loop::look);
                    collectors.forEach(Collector::look);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The same verticle, whose event loop is watched under this name. */
    Deployable on(String name, Deployable verticle) {
        return new Deployable() {
            @Override
            public Future<?> deploy(Context context) throws Exception {
                loops.put(name, new Loop((VertxThread) Thread.currentThread()));
                return verticle.deploy(context);
            }

            @Override
            public Future<?> undeploy(Context context) throws Exception {
                return verticle.undeploy(context);
            }
        };
    }

    /** Processor time includes that of the compilers and of the collector. */
    record Taken(double seconds, double processorSeconds, String rest) {

        String per(long count) {
            return "%.1f s, %,.0f a second, %.1f s of processor time, %,.0f a processor second; %s"
                    .formatted(seconds, count / seconds, processorSeconds, count / processorSeconds, rest);
        }
    }

    Taken taken() {
        String ofLoops = loops.entrySet().stream()
                .map(loop -> loop.getKey() + "'s loop "
                        + seconds(loop.getValue().processorTime() - loop.getValue().processor)
                        + ", its longest turn " + loop.getValue().longest.get() / NANOS_PER_MILLI
                        + " ms, the longest by processor time "
                        + loop.getValue().longestWork.get() / NANOS_PER_MILLI + " ms" + loop.getValue().place)
                .collect(Collectors.joining("; "));
        return new Taken(
                (System.nanoTime() - begun) / NANOS_PER_SECOND,
                (PROCESS.getProcessCpuTime() - processor) / NANOS_PER_SECOND,
                "%s; collections %.1f s, the longest %d ms; resident %d MiB, at most %d MiB"
                        .formatted(
                                ofLoops,
                                (collectingMillis() - collecting) / 1e3,
                                longestCollection(),
                                status("VmRSS:") / 1024,
                                status("VmHWM:") / 1024));
    }

    /** The next {@link #taken} begins here. */
    void restart() {
        begun = System.nanoTime();
        processor = PROCESS.getProcessCpuTime();
        collecting = collectingMillis();
        collectors.forEach(collector -> collector.longest.set(0));
        loops.values().forEach(loop -> {
            loop.longest.set(0);
            loop.longestWork.set(0);
            loop.processor = loop.processorTime();
        });
    }

    private long longestCollection() {
        return collectors.stream()
                .mapToLong(collector -> collector.longest.get())
                .max()
                .orElse(0);
    }

    private static String seconds(long nanos) {
        return "%.1f s".formatted(nanos / NANOS_PER_SECOND);
    }

    private static long collectingMillis() {
        return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** In kilobytes; see proc_pid_status(5). */
    private static long status(String name) {
        try {
            return Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .sum();
        } catch (IOException _) {
            return 0;
        }
    }
}
