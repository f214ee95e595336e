package dev.sluice.kube.watch;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few schedules of each fault; {@code WatchFaultsIT} has a thousand. */
class WatchFaultsTest {

    private static final long SCHEDULES = 2;

    @ParameterizedTest
    @EnumSource
    void theLedgerIsAsCompleteAsItSaysAndHeals(WatchFault fault) throws Exception {
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            FaultyWatch.check(fault, seed);
        }
    }
}
