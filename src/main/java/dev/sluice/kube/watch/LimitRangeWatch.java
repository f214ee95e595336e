package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.LimitRangeRule;
import dev.sluice.admission.request.LimitRanges;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.cluster.Pod;
import dev.sluice.json.Parsers;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiResource;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.Backoff;
import dev.sluice.kube.client.BodyStream;
import dev.sluice.kube.client.ListPager;
import dev.sluice.kube.client.WatchEvent;
import dev.sluice.kube.client.WatchEventDecoder;
import dev.sluice.kube.decode.LimitRangeDecoder;
import dev.sluice.kube.decode.LimitRangeDecoder.DecodedLimitRange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches LimitRanges, and passes all of them to the listener after each change. No decision waits for them.
 * Until they are known, or if the service account may not list them, decisions assume that there are no LimitRanges.
 *
 * <p>{@link #run()} blocks, so it needs a thread of its own. It ends when that thread is interrupted.
 */
final class LimitRangeWatch implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LimitRangeWatch.class);

    /** The maximum number of LimitRanges with rules for extended resources. Further LimitRanges are ignored. */
    private static final int MAX_KEPT = 10_000;

    private final ApiServer server;
    private final ReflectorTimings timings;
    private final Consumer<LimitRanges> listener;
    private final LimitRangeDecoder decoder = new LimitRangeDecoder();
    private final Backoff backoff;
    private final Backoff forbiddenBackoff;
    /** The rules of each LimitRange for extended resources, by {@code namespace/name}. */
    private final Map<String, List<LimitRangeRule>> known = new HashMap<>();
    /** The resourceVersion that was seen last; 0 if the objects have to be listed. */
    private long resourceVersion;

    private boolean saidForbidden;

    LimitRangeWatch(ApiServer server, ReflectorTimings timings, Consumer<LimitRanges> listener) {
        this.server = server;
        this.timings = timings;
        this.listener = listener;
        ReflectorTimings.BackoffLimits limits = timings.backoff();
        this.backoff = new Backoff(limits.initial(), limits.max(), ThreadLocalRandom.current());
        this.forbiddenBackoff =
                new Backoff(limits.initialForbidden(), limits.maxForbidden(), ThreadLocalRandom.current());
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(attempt());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lists or watches once. Returns the time to wait before the next attempt. */
    private Duration attempt() {
        try {
            if (resourceVersion == 0) {
                list();
                return Duration.ZERO;
            }
            // If the server ends each watch at once, the next request waits for the backoff.
            return watch() ? Duration.ZERO : backoff.next();
        } catch (ApiFailure answer) {
            resourceVersion = 0;
            return answer.isForbidden() ? forbidden(answer) : backoff.next();
        } catch (IOException | RuntimeException failure) {
            LOG.atDebug().setCause(failure).log("could not read LimitRanges");
            return backoff.next();
        }
    }

    private Duration forbidden(ApiFailure answer) {
        if (!saidForbidden) {
            saidForbidden = true;
            LOG.atInfo()
                    .addKeyValue("answer", answer.getMessage())
                    .log("the account may not list LimitRanges; pods are decided as if there were none");
        }
        return forbiddenBackoff.next();
    }

    private void list() throws IOException {
        Map<String, List<LimitRangeRule>> listed = new HashMap<>();
        ListPager.Listed result = new ListPager<>(
                        server,
                        ApiResource.LIMIT_RANGES,
                        decoder,
                        timings.timeouts().list())
                .list(page -> page.forEach(range -> keep(range, listed)), _ -> {});
        known.clear();
        known.putAll(listed);
        tell();
        resourceVersion = result.resourceVersion();
        backoff.reset();
        forbiddenBackoff.reset();
    }

    /** Watches until the watch ends. Returns true if there was any event. */
    private boolean watch() throws IOException {
        try (BodyStream body = server.get(
                        ApiResource.LIMIT_RANGES.pathAndQuery("watch=true&allowWatchBookmarks=true&resourceVersion="
                                + resourceVersion + "&timeoutSeconds="
                                + timings.watchDuration().toSeconds()),
                        timings.timeouts().response(),
                        timings.timeouts().watchIdle());
                JsonParser parser = Parsers.json(body)) {
            WatchEventDecoder<DecodedLimitRange> events = new WatchEventDecoder<>(decoder);
            boolean heard = false;
            for (var event = events.next(parser); event.isPresent(); event = events.next(parser)) {
                handle(event.get());
                backoff.reset();
                heard = true;
            }
            return heard;
        }
    }

    private void handle(WatchEvent<DecodedLimitRange> event) throws IOException {
        switch (event) {
            case WatchEvent.AddedOrModified<DecodedLimitRange>(DecodedLimitRange range) -> {
                keep(range, known);
                tell();
                seen(range.meta().resourceVersion());
            }
            case WatchEvent.Deleted<DecodedLimitRange>(var meta) -> {
                if (known.remove(meta.fullName()) != null) {
                    tell();
                }
                seen(meta.resourceVersion());
            }
            case WatchEvent.Bookmark<DecodedLimitRange>(long mark) -> resourceVersion = mark;
            case WatchEvent.MalformedEvent<DecodedLimitRange> _, WatchEvent.UnknownEvent<DecodedLimitRange> _ -> {}
            case WatchEvent.WatchError<DecodedLimitRange>(var status) -> throw new ApiFailure(status);
        }
    }

    private void seen(long version) {
        resourceVersion = Math.max(resourceVersion, version);
    }

    private static void keep(DecodedLimitRange range, Map<String, List<LimitRangeRule>> ranges) {
        String name = range.meta().fullName();
        if (range.rules().isEmpty()) {
            ranges.remove(name);
        } else if (ranges.size() < MAX_KEPT || ranges.containsKey(name)) {
            ranges.put(name, range.rules());
        }
    }

    private void tell() {
        Map<String, List<LimitRangeRule>> byNamespace = new HashMap<>();
        known.forEach((name, rules) -> byNamespace
                .computeIfAbsent(Pod.namespaceOf(name), _ -> new ArrayList<>())
                .addAll(rules));
        Map<String, NamespaceLimits> limits = new HashMap<>();
        byNamespace.forEach((namespace, rules) -> limits.put(namespace, new NamespaceLimits(rules)));
        listener.accept(new LimitRanges(limits));
    }
}
