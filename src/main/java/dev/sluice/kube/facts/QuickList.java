package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.json.FieldNames;
import dev.sluice.json.ItemCutter;
import dev.sluice.json.ItemCutter.Bundle;
import dev.sluice.json.ItemCutter.Cut;
import dev.sluice.json.PlainJson;
import dev.sluice.json.PlainJson.NotPlain;
import dev.sluice.json.SnapshotText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Reads one List in plain JSON, whose items are read by several threads and counted in their order. Whatever is not
 * plain ends it with an exception; then nothing is known, and {@link ListReader} reads and judges the file.
 */
final class QuickList {

    /** More threads would wait for the one that cuts. */
    private static final int MOST_THREADS = 4;

    private static final int THREADS =
            Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());

    private final FactsCollector collector = new FactsCollector();
    private final Queue<Reader> readers = new ConcurrentLinkedQueue<>();
    private final Deque<UnderWay> underWay = new ArrayDeque<>();

    private record UnderWay(Bundle bundle, Future<List<Consumer<FactsCollector>>> read) {}

    private record Reader(FactsReader items, FieldNames names) {}

    private QuickList() {}

    static FactsCollector read(InputStream bytes) throws IOException, SourceProblem {
        return new QuickList().all(bytes);
    }

    private FactsCollector all(InputStream bytes) throws IOException, SourceProblem {
        ItemCutter cutter = new ItemCutter(bytes);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (Optional<Bundle> next = cutter.next(); next.isPresent(); next = cutter.next()) {
                Bundle bundle = next.get();
                underWay.add(new UnderWay(bundle, threads.submit(() -> items(bundle))));
                if (underWay.size() > THREADS + 1) {
                    cutter.giveBack(counted());
                }
            }
            while (!underWay.isEmpty()) {
                var _ = counted();
            }
        } finally {
            threads.shutdownNow();
        }
        readers.forEach(reader -> collector.see(reader.items().newest()));
        try (JsonParser around = SnapshotText.parser(new ByteArrayInputStream(cutter.around()))) {
            new ListReader(collector).read(around);
        }
        return collector;
    }

    /** Counts the oldest bundle. */
    private Bundle counted() throws IOException {
        UnderWay oldest = underWay.remove();
        try {
            oldest.read().get().forEach(item -> item.accept(collector));
            return oldest.bundle();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the reading of a file was interrupted", stopped);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException left) {
                throw left;
            }
            throw new IllegalStateException("an object could not be counted", failed.getCause());
        }
    }

    private List<Consumer<FactsCollector>> items(Bundle bundle) throws IOException {
        Reader idle = readers.poll();
        Reader reader = idle == null ? new Reader(new FactsReader(), new FieldNames()) : idle;
        List<Consumer<FactsCollector>> items = new ArrayList<>();
        for (Cut cut : bundle.cuts()) {
            PlainJson json = new PlainJson(bundle.text().array(), cut.from(), cut.to(), reader.names());
            items.add(reader.items().read(item(json, reader.items())));
        }
        readers.add(reader);
        return items;
    }

    /** An object without its kind has that of the List, which stands after it. */
    private static ObjectNode item(PlainJson json, FactsReader reader) throws IOException {
        var _ = json.next();
        if (reader.tree(json) instanceof ObjectNode object
                && object.path("kind").isTextual()) {
            json.end();
            return object;
        }
        throw new NotPlain("no object that names its kind");
    }
}
