package dev.sluice.cluster.dra;

/**
 * The answer to a question that Sluice cannot always answer: yes, no or maybe. Answers are combined by the rules of
 * Kleene's three-valued logic, as in CEL.
 */
public enum DraCertainty {
    NO,
    MAYBE,
    YES;

    static DraCertainty of(boolean answer) {
        return answer ? YES : NO;
    }

    public DraCertainty and(DraCertainty other) {
        return compareTo(other) < 0 ? this : other;
    }

    DraCertainty or(DraCertainty other) {
        return compareTo(other) > 0 ? this : other;
    }

    DraCertainty not() {
        return switch (this) {
            case NO -> YES;
            case MAYBE -> MAYBE;
            case YES -> NO;
        };
    }
}
