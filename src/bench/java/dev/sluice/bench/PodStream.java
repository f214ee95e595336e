package dev.sluice.bench;

import com.fasterxml.jackson.core.JsonParser;
import com.sun.management.ThreadMXBean;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.client.ApiServerWatchEvent;
import dev.sluice.kube.client.ApiServerWatchEventDecoder;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.PodStateDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Prints what it costs to read pods from a watch and from a list: processor time, garbage, and the heap at its fullest.
 */
final class PodStream {

    private static final int PODS = Integer.getInteger("pods", 100_000);
    private static final int PAGE = 500;
    private static final int NODES = 5_000;

    /** Live memory is looked at now and then: each look collects all garbage. */
    private static final int PAGES_BETWEEN_LOOKS = 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private PodStream() {}

    public static void main(String[] args) throws IOException {
        // First, on an empty heap.
        list();
        watch();
    }

    private static void watch() throws IOException {
        List<byte[]> events = IntStream.range(0, 1_000)
                .mapToObj(number ->
                        ("{\"type\":\"MODIFIED\",\"object\":" + pod(number) + "}\n").getBytes(StandardCharsets.UTF_8))
                .toList();
        System.out.printf("an event has %,d bytes%n", events.getFirst().length);
        ApiServerWatchEventDecoder<Pod> decoder = new ApiServerWatchEventDecoder<>(new PodStateDecoder());
        for (int round = 0; round < 8; round++) {
            InputStream stream = new SequenceInputStream(Collections.enumeration(IntStream.range(0, 20)
                    .boxed()
                    .flatMap(_ -> events.stream())
                    .map(ByteArrayInputStream::new)
                    .toList()));
            Map<PodId, Pod> known = new HashMap<>();
            Usage usage = Usage.begin();
            int count = read(decoder, stream, known);
            System.out.printf("watch: %,d events of %,d pods, %s%n", count, known.size(), usage.per(count));
        }
    }

    private static int read(ApiServerWatchEventDecoder<Pod> decoder, InputStream stream, Map<PodId, Pod> known)
            throws IOException {
        int count = 0;
        try (JsonParser parser = JsonParsers.json(stream)) {
            for (Optional<ApiServerWatchEvent<Pod>> next = decoder.next(parser);
                    next.isPresent();
                    next = decoder.next(parser)) {
                if (next.get() instanceof ApiServerWatchEvent.AddedOrModified<Pod>(Pod pod)) {
                    known.put(pod.id(), pod);
                    count++;
                }
            }
        }
        return count;
    }

    private static void list() throws IOException {
        PodStateDecoder decoder = new PodStateDecoder();
        Map<PodId, Pod> known = HashMap.newHashMap(PODS);
        byte[] page = page();
        long empty = live();
        Usage usage = Usage.begin();
        for (int at = 0; at < PODS; at += PAGE) {
            readPage(decoder, number(page, at), known);
        }
        System.out.printf("list of %,d pods: %s%n", known.size(), usage.per(known.size()));
        long settled = live() - empty;
        long fullest = settled;
        PodStateDecoder again = new PodStateDecoder();
        for (int at = 0; at < PODS; at += PAGE) {
            readPage(again, number(page, at), known);
            if (at / PAGE % PAGES_BETWEEN_LOOKS == 0) {
                fullest = Math.max(fullest, live() - empty);
            }
        }
        System.out.printf(
                "settled: %,d bytes a pod, its entry in a map included; at its fullest %.3f of that%n",
                settled / known.size(), (double) fullest / settled);
    }

    private static void readPage(PodStateDecoder decoder, byte[] page, Map<PodId, Pod> known) throws IOException {
        try (JsonParser parser = JsonParsers.json(new ByteArrayInputStream(page))) {
            var _ = new ListDecoder<>(decoder).read(parser, item -> {
                if (item instanceof ObjectDecodeResult.Found<Pod> found) {
                    // A map keeps its first key, and so the id of a pod that it no longer holds.
                    known.remove(found.value().id());
                    known.put(found.value().id(), found.value());
                }
            });
        }
    }

    private static String pod(int number) {
        return SamplePods.stored(PodKind.OFFERED, number, "gpu-worker-" + number * 7 % NODES);
    }

    private static byte[] page() {
        return IntStream.range(0, PAGE)
                .mapToObj(PodStream::pod)
                .collect(Collectors.joining(",", "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[", "]}"))
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Gives the pods of a page other names and uids, in place: a list as text would be larger than all that is read.
     */
    private static byte[] number(byte[] page, int from) {
        byte[] name = "\"name\":\"pod-".getBytes(StandardCharsets.UTF_8);
        byte[] uid = "\"uid\":\"00000000-0000-4000-8000-0000".getBytes(StandardCharsets.UTF_8);
        int number = from;
        for (int at = 0; at < page.length; at++) {
            if (startsWith(page, at, name)) {
                write(page, at + name.length, number);
            } else if (startsWith(page, at, uid)) {
                write(page, at + uid.length, number);
                number++;
            }
        }
        return page;
    }

    private static boolean startsWith(byte[] page, int at, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (at + i >= page.length || page[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private static void write(byte[] page, int at, int number) {
        byte[] digits = "%08d".formatted(number).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(digits, 0, page, at, digits.length);
    }

    private static long live() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private record Usage(long cpu, long bytes) {

        static Usage begin() {
            return new Usage(
                    THREADS.getCurrentThreadCpuTime(),
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().threadId()));
        }

        String per(int count) {
            Usage now = begin();
            return "%.1f µs of processor time and %,d bytes of garbage each, %,d ms in all"
                    .formatted((now.cpu - cpu) / 1e3 / count, (now.bytes - bytes) / count, (now.cpu - cpu) / 1_000_000);
        }
    }
}
