package dev.sluice.webhook;

import dev.sluice.bus.BusRequestDeadline;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the time by which a review must be answered. The API server adds its timeout to the URL of each review: the
 * parameter {@code timeout}, whose value is a Go duration.
 */
final class AdmissionTimeout {

    /**
     * The timeout that is assumed if the URL of a review contains no valid timeout. It is the API server's default for
     * webhooks.
     */
    private static final Duration DEFAULT = Duration.ofSeconds(10);
    /** The minimum timeout. Kubernetes permits a {@code timeoutSeconds} of 1 to 30. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private static final Duration MOST = Duration.ofSeconds(30);

    /**
     * The divisor for the reserve: a quarter of the timeout, but at most one second. The gateway needs the reserve
     * because the network takes time, because it may have to send a refusal, and because the API server rounds the
     * timeout. A timeout of 1 s leaves 0.75 s for the decision, and the timeout of 3 s in the manifests leaves 2.25 s.
     */
    private static final int PART_KEPT = 4;

    private static final long MOST_KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The maximum length of a timeout in characters. The API server never writes a longer one, and parsing a longer
     * text would take time.
     */
    private static final int LONGEST = 32;

    private static final String NAME = "timeout=";

    /**
     * The texts of durations in whole seconds, as the API server writes them. Finding a text in this map is faster than
     * matching a pattern.
     */
    private static final Map<String, Duration> WHOLE_SECONDS = LongStream.rangeClosed(
                    LEAST.toSeconds(), MOST.toSeconds())
            .boxed()
            .collect(Collectors.toUnmodifiableMap(seconds -> seconds + "s", Duration::ofSeconds));

    private static final Pattern DURATION = Pattern.compile("(?:\\d{1,9}(?:\\.\\d{1,9})?(?:h|ms|m|s|us|µs|ns))+");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|us|µs|ns)");

    private AdmissionTimeout() {}

    /**
     * Returns the value of the parameter {@code timeout} in this query, without decoding other parameters. Returns null
     * if the query does not have it.
     */
    static @Nullable String parameter(@Nullable String query) {
        if (query == null) {
            return null;
        }
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith(NAME)) {
                return parameter.substring(NAME.length());
            }
        }
        return null;
    }

    /**
     * Returns the time by which an answer must be sent.
     *
     * @param timeout the value of the parameter in the URL; null if the URL does not contain it
     */
    static BusRequestDeadline deadline(@Nullable String timeout) {
        long patience = patience(timeout).toNanos();
        // The calculation uses nanoseconds, because dividing durations would create ten objects for each review.
        return BusRequestDeadline.in(Duration.ofNanos(patience - Math.min(patience / PART_KEPT, MOST_KEPT_NANOS)));
    }

    static Duration patience(@Nullable String timeout) {
        if (timeout == null || timeout.length() > LONGEST) {
            return DEFAULT;
        }
        Duration whole = WHOLE_SECONDS.get(timeout);
        return whole == null ? parsed(timeout) : whole;
    }

    private static Duration parsed(String timeout) {
        if (!DURATION.matcher(timeout).matches()) {
            return DEFAULT;
        }
        double seconds = 0;
        for (Matcher part = PART.matcher(timeout); part.find(); ) {
            seconds += Double.parseDouble(part.group(1)) * inSeconds(part.group(2));
        }
        if (seconds == 0) {
            return DEFAULT;
        }
        double clamped = Math.clamp(seconds, (double) LEAST.toSeconds(), (double) MOST.toSeconds());
        return Duration.ofMillis(Math.round(clamped * 1_000));
    }

    private static double inSeconds(String unit) {
        return switch (unit) {
            case "h" -> 3_600;
            case "m" -> 60;
            case "s" -> 1;
            case "ms" -> 1e-3;
            case "ns" -> 1e-9;
            default -> 1e-6;
        };
    }
}
