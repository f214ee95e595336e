package dev.sluice.webhook.review;

/**
 * Two texts that become one where it is read. It names a value that may turn out to be wrong: nearly all are right, and
 * to join their names for each would be a part of what a review costs.
 */
record LateText(Object begin, Object end) {

    @Override
    public String toString() {
        return begin.toString() + end;
    }
}
