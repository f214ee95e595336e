package dev.sluice.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** Whole numbers from {@code least} to {@code most}, both included. */
public record IntRange(int least, int most) {

    /** With port 0 the kernel would choose one that clients do not know. */
    public static final IntRange PORTS = new IntRange(1, 65_535);

    /**
     * No review is smaller than 1 KiB. The API server takes requests of 3 MiB and a review carries two objects, so that
     * 16 MiB are ample. While a review is decided it takes four times its size of the launcher's 192 MiB of heap.
     */
    public static final IntRange BODY_BYTES = new IntRange(1024, 16 << 20);

    /** Kubernetes gives a pod 30 s to end by default, and what is under way needs 6 s of them. */
    public static final IntRange DRAIN_SECONDS = new IntRange(1, 20);

    /** 0 is none. More than ten thousand take longer than the warm-up may. */
    public static final IntRange WARM_UP_REVIEWS = new IntRange(0, 10_000);

    /** 0 is off. A diagnosis lists all pods, so that it is worth a pause; after a day nobody believes it. */
    public static final IntRange DIAGNOSIS_SECONDS = new IntRange(0, 86_400);
    /** A scrape with more series than ten thousand nodes make is of no use to anybody. */
    public static final IntRange NODE_SERIES = new IntRange(0, 10_000);

    /** The API server takes seconds to trust a new authority, and no certificate should outlive its cluster. */
    public static final IntRange LIFETIME_SECONDS = new IntRange(12, 315_360_000);

    private static final Pattern PLAIN_DECIMAL = Pattern.compile("[1-9][0-9]{0,8}");

    /** The number in plain decimal digits, if it is in the range. */
    public Optional<Integer> read(String digits) {
        return PLAIN_DECIMAL.matcher(digits).matches()
                ? Optional.of(Integer.valueOf(digits)).filter(this::contains)
                : Optional.empty();
    }

    boolean contains(int number) {
        return number >= least && number <= most;
    }

    public void require(String name, int number) {
        if (!contains(number)) {
            throw new IllegalArgumentException(name + " is " + number + ", expected " + this);
        }
    }

    @Override
    public String toString() {
        return least + ".." + most;
    }
}
