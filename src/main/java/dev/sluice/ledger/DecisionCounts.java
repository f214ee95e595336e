package dev.sluice.ledger;

import dev.sluice.ledger.podentry.NotReserved;

/**
 * Counts of decisions whose pods were not seen.
 *
 * @param bytes about what they take now
 * @param preempted how many were preempted since the start
 * @param ofNamespace how many were not kept since the start because of the limit of one namespace
 * @param inAll how many were not kept because of the limit of all namespaces
 * @param bySize how many were not kept because of the limit of one decision
 */
public record DecisionCounts(long bytes, long preempted, long ofNamespace, long inAll, long bySize) {

    public static final DecisionCounts NONE = new DecisionCounts(0, 0, 0, 0, 0);

    DecisionCounts withBytes(long bytesNow) {
        return new DecisionCounts(bytesNow, preempted, ofNamespace, inAll, bySize);
    }

    DecisionCounts plusPreempted(long more) {
        return new DecisionCounts(bytes, preempted + more, ofNamespace, inAll, bySize);
    }

    DecisionCounts plusNotReserved(String cause, long more) {
        return switch (cause) {
            case NotReserved.NAMESPACE -> new DecisionCounts(bytes, preempted, ofNamespace + more, inAll, bySize);
            case NotReserved.ALL -> new DecisionCounts(bytes, preempted, ofNamespace, inAll + more, bySize);
            default -> new DecisionCounts(bytes, preempted, ofNamespace, inAll, bySize + more);
        };
    }
}
