package dev.sluice.cluster.dra;

/**
 * The answer to a question that Sluice cannot always answer: yes, no or maybe. Answers are combined by the rules of
 * Kleene's three-valued logic, as in CEL.
 */
public enum Certainty {
    NO,
    MAYBE,
    YES;

    static Certainty of(boolean answer) {
        return answer ? YES : NO;
    }

    public Certainty and(Certainty other) {
        return compareTo(other) < 0 ? this : other;
    }

    Certainty or(Certainty other) {
        return compareTo(other) > 0 ? this : other;
    }

    Certainty not() {
        return switch (this) {
            case NO -> YES;
            case MAYBE -> MAYBE;
            case YES -> NO;
        };
    }
}
