package dev.sluice.kube.watch;

import dev.sluice.kube.watch.FakeApiServer.Fault;
import java.util.List;
import java.util.random.RandomGenerator;

/** Names the faults of API servers, and of proxies before them, that the watch must withstand. */
enum WatchFault {
    SILENCE,
    EXPIRED_VERSION,
    COMPACTION,
    REPEATED_EVENTS,
    LYING_BOOKMARKS,
    TRUNCATED_PAGES,
    SLOW_PAGES,
    HALF_OPEN_CONNECTIONS,
    BACK_IN_TIME,
    EXPIRED_TOKEN,
    PARTIAL_LISTS,
    CLOCK_JUMPS;

    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

    /** Makes the next requests fail, or spoils what is under way; on the loop of the server. */
    void happens(FakeApiServer server, JumpingClock clock, RandomGenerator random) {
        switch (this) {
            case SILENCE -> watchAgain(server, Fault.SILENT);
            case EXPIRED_VERSION -> watchAgain(server, Fault.GONE);
            case COMPACTION -> watchAgain(server, Fault.GONE_AS_EVENT);
            case REPEATED_EVENTS -> server.repeatEvents(random);
            case LYING_BOOKMARKS -> server.bookmark(server.version() + random.nextInt(-20, 200));
            case TRUNCATED_PAGES -> listAgain(server, Fault.CUT_SHORT, Fault.CUT_SHORT, random);
            case SLOW_PAGES -> listAgain(server, Fault.SLOW, Fault.SLOW, random);
            case HALF_OPEN_CONNECTIONS -> {
                server.onNextReads(Fault.NO_ANSWER);
                listAgain(server, Fault.NO_ANSWER, Fault.NO_ANSWER, random);
            }
            case BACK_IN_TIME -> {
                // Until the gateway notices, fewer changes happen than the backup is old.
                server.goBackTo(server.version() - random.nextInt(60, 90));
                server.breakConnections();
            }
            case EXPIRED_TOKEN -> {
                server.onNextReads(Fault.UNAUTHORIZED, Fault.UNAUTHORIZED);
                listAgain(server, Fault.UNAUTHORIZED, Fault.UNAUTHORIZED, random);
            }
            case PARTIAL_LISTS -> listAgain(server, Fault.NONE, Fault.GONE, random);
            case CLOCK_JUMPS -> clock.jump(random);
        }
    }

    private static void watchAgain(FakeApiServer server, Fault fault) {
        server.onNextWatches(fault);
        server.endWatches();
    }

    /** The watch ends in a way that requires a list, of which the first page or a later one fails. */
    private static void listAgain(FakeApiServer server, Fault first, Fault later, RandomGenerator random) {
        if (random.nextBoolean()) {
            server.onNextLists(first);
        }
        server.onNextPages(random.nextBoolean() ? Fault.NONE : later, later);
        watchAgain(server, random.nextBoolean() ? Fault.GONE : Fault.GONE_AS_EVENT);
    }

    static String anyName(RandomGenerator random) {
        return NAMES.get(random.nextInt(NAMES.size()));
    }
}
