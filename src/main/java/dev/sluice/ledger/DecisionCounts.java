package dev.sluice.ledger;

import dev.sluice.ledger.podentry.NotReserved;

/**
 * Decisions whose pods were not seen, in numbers.
 *
 * @param bytes about what they take now
 * @param gaveWay how many have left their room to a namespace that had less, since the start
 * @param ofNamespace how many were not kept because their namespace had as many as one may have, since the start
 * @param inAll likewise, because all namespaces together had
 * @param bySize likewise, because one would have taken too much by itself
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
