package dev.sluice.record.observe;

import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Topic;
import dev.sluice.log.TokenBucket;
import dev.sluice.replication.Member;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs changes of the in-sync set, which consists of the replicas that have all reservations. Only the replica that
 * decides logs these changes. Also logs a warning when there are too many replicas.
 */
public final class InSyncLog {

    private static final Logger LOG = LoggerFactory.getLogger(InSyncLog.class);

    private static final double ONCE_A_MINUTE = 1 / 60.0;

    private List<Member> before = List.of();
    private long refusedBefore;
    private final TokenBucket lines = new TokenBucket(ONCE_A_MINUTE, 1, Instant.now());

    InSyncLog() {}

    /** Begins to log changes of the in-sync set, which the decision verticle publishes. */
    public static void listen(Vertx vertx) {
        Topic.REPLICATION.subscribe(vertx, new InSyncLog()::update);
    }

    void update(ReplicationStatusMessage newest) {
        if (newest.isLeading()) {
            changed(newest, newest.inSync(), before, "a replica is in sync now");
            changed(newest, before, newest.inSync(), "a replica is no longer in sync");
        }
        before = newest.inSync();
        if (newest.refusedJoins() > refusedBefore && lines.takeIfAny(Instant.now())) {
            LOG.atWarn()
                    .addKeyValue("inSync", newest.inSync().size())
                    .addKeyValue("followers", newest.lag().size())
                    .log("another replica gets no decisions, because there are too many replicas");
        }
        refusedBefore = newest.refusedJoins();
    }

    private static void changed(
            ReplicationStatusMessage status, Collection<Member> all, Collection<Member> known, String sentence) {
        for (Member member : all) {
            if (!known.contains(member) && !member.equals(status.self())) {
                LOG.atInfo()
                        .addKeyValue("replica", member.identity())
                        .addKeyValue("inSync", status.inSync().size())
                        .log(sentence);
            }
        }
    }
}
