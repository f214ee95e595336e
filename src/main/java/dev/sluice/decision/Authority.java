package dev.sluice.decision;

import dev.sluice.bus.Fitness;
import dev.sluice.bus.Leadership;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.time.InstantSource;

/** Whether this process may decide: with what it knows, and with the lease where there are others. */
final class Authority {

    private final InstantSource clock;
    private Leadership leadership;

    Authority(DecisionVerticle.Rivals rivals, InstantSource clock) {
        this.clock = clock;
        this.leadership = switch (rivals) {
            case NONE -> new Leadership.Leading(Instant.MIN, Instant.MAX);
            case REPLICAS -> new Leadership.Standby("");
        };
    }

    void is(Leadership newest) {
        leadership = newest;
    }

    /** What the election should know: an able standby may be given the lease. */
    Fitness fitness(Ledger ledger) {
        return new Fitness(ignorance(ledger).isEmpty(), leadership);
    }

    /** Why nothing may be decided now; empty when it may. */
    String hindrance(Ledger ledger) {
        String ignorance = ignorance(ledger);
        return ignorance.isEmpty() ? withoutLease(ledger) : ignorance;
    }

    /** What is missing whoever holds the lease. */
    private static String ignorance(Ledger ledger) {
        if (!ledger.knowsNodes()) {
            return "the cluster has not been listed yet";
        }
        return ledger.toldUpTo().equals(Instant.MIN) ? "the pods have not been listed yet" : "";
    }

    private String withoutLease(Ledger ledger) {
        return switch (leadership) {
            case Leadership.Standby(String holder) ->
                holder.isEmpty() ? "no replica holds the lease yet" : "another replica decides: " + holder;
            case Leadership.Leading leading -> withLease(leading, ledger);
        };
    }

    /** What a former holder admitted at its last moment has been seen once everything stored since then was told. */
    private String withLease(Leadership.Leading leading, Ledger ledger) {
        if (!leading.holdsAt(clock.instant())) {
            return "the lease ran out";
        }
        Instant former = leading.formerMayHaveDecidedUntil();
        boolean seen = former.equals(Instant.MIN) || !ledger.toldUpTo().isBefore(former.plus(Ledger.LONGEST_CREATE));
        return seen ? "" : "pods that the former holder admitted may not have been seen yet";
    }
}
