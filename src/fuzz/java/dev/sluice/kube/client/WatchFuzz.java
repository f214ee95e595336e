package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import dev.sluice.fuzz.Frugal;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.decode.PodStateDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Events are the same however the stream is cut, and one that cannot be used does not hide the next. */
public final class WatchFuzz {

    private static final byte[] GOOD = """

            {"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"good"}}}
            """.getBytes(StandardCharsets.UTF_8);

    private WatchFuzz() {}

    public static void fuzzerTestOneInput(byte[] events) {
        Frugal.run(events.length, () -> {
            List<Object> pods = read(new PodStateDecoder(), new ByteArrayInputStream(events));
            if (!pods.equals(read(new PodStateDecoder(), new Drops(events)))) {
                throw new AssertionError("other pods where the stream is cut: " + pods);
            }
            byte[] more = new byte[events.length + GOOD.length];
            System.arraycopy(events, 0, more, 0, events.length);
            System.arraycopy(GOOD, 0, more, events.length, GOOD.length);
            List<Object> nodes = read(new NodeDecoder(), new Drops(more));
            Object last = nodes.isEmpty() ? "nothing" : nodes.getLast();
            if (!isGood(last) && !last.equals("broken")) {
                throw new AssertionError("a good event was not told: " + nodes);
            }
        });
    }

    private static boolean isGood(Object event) {
        return event instanceof ApiServerWatchEvent.AddedOrModified<?> seen
                && seen.value() instanceof Node node
                && node.name().equals("good");
    }

    private static <T> List<Object> read(ObjectDecoder<T> decoder, InputStream stream) {
        ApiServerWatchEventDecoder<T> events = new ApiServerWatchEventDecoder<>(decoder);
        List<Object> told = new ArrayList<>();
        try (JsonParser parser = JsonParsers.json(stream)) {
            Optional<ApiServerWatchEvent<T>> event = events.next(parser);
            while (event.isPresent()) {
                told.add(event.get());
                event = events.next(parser);
            }
        } catch (IOException broken) {
            told.add("broken");
        }
        return told;
    }

    /** Comes in pieces of a few bytes, as a network may have it. */
    private static final class Drops extends InputStream {
        private final ByteArrayInputStream all;

        Drops(byte[] all) {
            this.all = new ByteArrayInputStream(all);
        }

        @Override
        public int read() {
            return all.read();
        }

        @Override
        public int read(byte[] into, int from, int most) {
            return all.read(into, from, Math.min(most, 1 + most % 7));
        }
    }
}
