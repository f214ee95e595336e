package dev.sluice.ledger;

import dev.sluice.ledger.podentry.NotKept;

/**
 * Decisions whose pods were not seen, in numbers.
 *
 * @param bytes about what they take now
 * @param gaveWay how many have left their room to a namespace that had less, since the start
 * @param ofNamespace how many were not kept because their namespace had as many as one may have, since the start
 * @param inAll likewise, because all namespaces together had
 * @param bySize likewise, because one would have taken too much by itself
 */
public record DecisionCounts(long bytes, long gaveWay, long ofNamespace, long inAll, long bySize) {

    public static final DecisionCounts NONE = new DecisionCounts(0, 0, 0, 0, 0);

    DecisionCounts now(long bytesNow) {
        return new DecisionCounts(bytesNow, gaveWay, ofNamespace, inAll, bySize);
    }

    DecisionCounts plusGaveWay(long more) {
        return new DecisionCounts(bytes, gaveWay + more, ofNamespace, inAll, bySize);
    }

    DecisionCounts plusNotKept(String cause, long more) {
        return switch (cause) {
            case NotKept.NAMESPACE -> new DecisionCounts(bytes, gaveWay, ofNamespace + more, inAll, bySize);
            case NotKept.ALL -> new DecisionCounts(bytes, gaveWay, ofNamespace, inAll + more, bySize);
            default -> new DecisionCounts(bytes, gaveWay, ofNamespace, inAll, bySize + more);
        };
    }
}
