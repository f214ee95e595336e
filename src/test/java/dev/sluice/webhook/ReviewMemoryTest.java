package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.webhook.intake.MemoryBudget;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What text becomes: the figure that the memory of the process is divided by. */
class ReviewMemoryTest {

    private static final int BYTES = 4_000_000;

    /** Each byte of the body as it came, and as a part of the whole. */
    private static final int TEXT = 2;

    private static Map<String, String> shapes() {
        return HostileShapes.ofSize(BYTES);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reviews")
    void becomesNoMoreThanIsHeldForIt(String shape) throws Exception {
        byte[] body = shapes().getOrDefault(shape, "").getBytes(UTF_8);
        ReviewDecoder decoder = new ReviewDecoder();
        // What is loaded and kept by the first one is not of this review.
        var _ = decoder.decode(body);
        long before = usedHeap();
        AdmissionReview review = decoder.decode(body);
        long kept;
        try {
            kept = usedHeap() - before;
        } finally {
            Reference.reachabilityFence(review);
            Reference.reachabilityFence(body);
        }
        System.out.printf("%s becomes %.1f times as much%n", shape, TEXT + kept / (double) body.length);
        assertThat(TEXT + kept / (double) body.length).isLessThanOrEqualTo(MemoryBudget.FACTOR);
    }

    @Test
    void holdsWhatWasMeasuredOfTheDecoder() {
        assertThat(MemoryBudget.FACTOR).isEqualTo(TEXT + ReviewDecoder.WORST_EXPANSION);
    }

    static Stream<String> reviews() {
        return shapes().keySet().stream();
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
