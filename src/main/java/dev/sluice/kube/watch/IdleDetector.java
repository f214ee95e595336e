package dev.sluice.kube.watch;

/**
 * Finds the moment at which few reviews come, so that what no decision needs is read then. The first reviews after a
 * start need all of a processor: those that wait let the API server open further connections, and their handshakes take
 * more of it than the reviews. Has one owner.
 */
final class IdleDetector {

    /** Reviews of an interval; more of them come only where many pods are created together. */
    private static final int FEW_REVIEWS = 20;

    private final int mostIntervals;
    private int intervals;
    private int reviews;

    /** @param mostIntervals after so many the moment has come, however many reviews there are */
    IdleDetector(int mostIntervals) {
        this.mostIntervals = mostIntervals;
    }

    void answered(int more) {
        reviews += more;
    }

    /** To be asked at the end of each interval. */
    boolean hasCome() {
        boolean quiet = reviews <= FEW_REVIEWS;
        reviews = 0;
        intervals++;
        return quiet || intervals >= mostIntervals;
    }
}
