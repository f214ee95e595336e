package dev.sluice.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** A range of whole numbers, from {@code least} to {@code most} inclusive. */
public record ConfigIntRange(int least, int most) {

    /** The valid ports. Port 0 is excluded, because the kernel would choose a port that clients do not know. */
    public static final ConfigIntRange PORTS = new ConfigIntRange(1, 65_535);

    /**
     * The valid values for the maximum size of an AdmissionReview, in bytes. No review is smaller than 1 KiB. 16 MiB
     * are enough, because an object has at most 3 MiB, and a review contains it at most twice. A larger limit would
     * need too much memory: a decision needs four times the size of its review, and the launcher sets a heap of 192
     * MiB.
     */
    public static final ConfigIntRange BODY_BYTES = new ConfigIntRange(1024, 16 << 20);

    /**
     * The valid durations of the drain. By default, Kubernetes kills a pod 30 s after its termination begins. After the
     * drain, reviews in progress need up to 6 s.
     */
    public static final ConfigIntRange DRAIN_SECONDS = new ConfigIntRange(1, 20);

    /**
     * The valid numbers of reviews that the gateway decides at the start to warm up the JVM; 0 turns the warm-up off.
     * More than ten thousand reviews would exceed the time limit of the warm-up.
     */
    public static final ConfigIntRange WARM_UP_REVIEWS = new ConfigIntRange(0, 10_000);

    /**
     * The valid pauses between diagnoses, in seconds; 0 turns diagnoses off. A diagnosis that is older than a day is of
     * no use.
     */
    public static final ConfigIntRange DIAGNOSIS_SECONDS = new ConfigIntRange(0, 86_400);
    /**
     * The valid numbers of nodes that have their own series in the metrics. A scrape with series for more than ten
     * thousand nodes would be too large to be useful.
     */
    public static final ConfigIntRange NODE_SERIES = new ConfigIntRange(0, 10_000);

    /**
     * The valid lifetimes of certificates, in seconds. The minimum is 12 s, because API servers need seconds to trust a
     * new authority. The maximum is ten years.
     */
    public static final ConfigIntRange LIFETIME_SECONDS = new ConfigIntRange(12, 315_360_000);

    private static final Pattern PLAIN_DECIMAL = Pattern.compile("[1-9][0-9]{0,8}");

    /** Returns the number. Returns empty if the text is not a decimal number in this range. */
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
