package dev.sluice.kube.watch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dwatch.schedules} sets the number of schedules of each fault, and {@code -Dwatch.seed} the first seed. */
@Tag("campaign")
class WatchFaultsIT {

    @ParameterizedTest
    @EnumSource
    void theLedgerIsAsCompleteAsItSaysAndHeals(WatchFault fault) throws Exception {
        long first = Long.getLong("watch.seed", 1);
        for (long seed = first; seed < first + Long.getLong("watch.schedules", 1_000); seed++) {
            FaultyWatch.check(fault, seed);
        }
    }
}
