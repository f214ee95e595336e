package dev.sluice.bus.message;

import dev.sluice.decide.Verdict;

/** What comes of a {@link PodQuestion}. */
public sealed interface PodAnswer {

    record Decided(Verdict verdict) implements PodAnswer {}

    /** Nothing is decided here at the moment; another try, or another replica, may do. */
    record NotNow(String why) implements PodAnswer {}

    /** A fault of ours. */
    record Failed(Throwable fault) implements PodAnswer {}
}
