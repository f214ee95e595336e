package dev.sluice.kube.watch;

/**
 * Detects the first interval after the start in which there are few admission reviews. If no decision needs the pods,
 * they are listed in this interval, because the first reviews after a start need a whole processor. This class is not
 * thread-safe.
 */
final class WatchIdleDetector {

    /** The maximum number of reviews in an idle interval. More reviews come only if many pods are created at once. */
    private static final int FEW_REVIEWS = 20;

    private final int mostIntervals;
    private int intervals;
    private int reviews;

    /**
     * Creates a detector.
     *
     * @param mostIntervals the number of intervals after which {@link #hasCome} returns true even if none was idle
     */
    WatchIdleDetector(int mostIntervals) {
        this.mostIntervals = mostIntervals;
    }

    void answered(int more) {
        reviews += more;
    }

    /**
     * Returns true if the current interval was idle, or if the maximum number of intervals has passed. Begins the next
     * interval. The caller must call this method at the end of each interval.
     */
    boolean hasCome() {
        boolean quiet = reviews <= FEW_REVIEWS;
        reviews = 0;
        intervals++;
        return quiet || intervals >= mostIntervals;
    }
}
