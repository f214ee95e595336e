package dev.sluice.metrics;

import com.codahale.metrics.Counter;
import java.util.function.LongSupplier;

/** A count that somebody else keeps. */
final class OtherCount extends Counter {

    private final LongSupplier count;

    OtherCount(LongSupplier count) {
        this.count = count;
    }

    @Override
    public long getCount() {
        return count.getAsLong();
    }
}
