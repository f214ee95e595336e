package dev.sluice.management;

import dev.sluice.bus.Deciding;
import dev.sluice.bus.Leadership;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatus;
import dev.sluice.cluster.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether reviews may be sent here. A watch that has broken down does not take readiness away: deciding from the last
 * state known is better than not deciding.
 */
final class Readiness {

    private final InstantSource clock;
    private @Nullable ClusterSnapshot cluster;
    private final Map<WatchStatus.Kind, WatchStatus> watches = new EnumMap<>(WatchStatus.Kind.class);
    /** Null where nobody needs a lease to decide. */
    private @Nullable Leadership leadership;

    /** Null where nobody needs to be allowed to decide. */
    private @Nullable Deciding deciding;

    private boolean stopping;

    Readiness(InstantSource clock) {
        this.clock = clock;
    }

    void snapshot(ClusterSnapshot newest) {
        cluster = newest;
    }

    void watch(WatchStatus newest) {
        watches.put(newest.kind(), newest);
    }

    void leadership(Leadership newest) {
        leadership = newest;
    }

    void deciding(Deciding newest) {
        deciding = newest;
    }

    void stopping(Topic.Stopping signal) {
        stopping = true;
    }

    Optional<ClusterSnapshot> cluster() {
        return Optional.ofNullable(cluster);
    }

    boolean isReady() {
        return cluster != null && holdsLease() && isDeciding() && !stopping;
    }

    private boolean holdsLease() {
        return leadership == null || leadership.holdsAt(clock.instant());
    }

    /** Who holds the lease may still have to see what the one before has admitted. */
    private boolean isDeciding() {
        return deciding == null || deciding.now();
    }

    String brief() {
        return (isReady() ? "ok" : reason()) + "\n";
    }

    private String reason() {
        if (stopping) {
            return "stopping";
        }
        if (cluster == null) {
            return "the cluster has not been listed yet";
        }
        return deciding == null || deciding.now() || !holdsLease() ? lease() : "not deciding: " + deciding.why();
    }

    /** Each check on a line, as the API server's own page has it. */
    String verbose() {
        return line(cluster != null, "cluster listed", known())
                + (leadership == null ? "" : (holdsLease() ? "[+] " : "[-] ") + lease() + "\n")
                + (deciding == null ? "" : line(isDeciding(), "deciding", deciding.why()))
                + line(!stopping, "not stopping", "")
                + watches.values().stream().map(this::told).collect(Collectors.joining())
                + (isReady() ? "readyz check passed\n" : "readyz check failed\n");
    }

    private String told(WatchStatus watch) {
        return "    watch of " + watch.kind().word() + ": " + watch.source() + ", " + heard(watch) + ", "
                + counted(watch.relists(), "relist") + ", " + counted(watch.failures(), "failure")
                + (watch.problem().isEmpty() ? "" : "; " + watch.problem()) + "\n";
    }

    private String known() {
        return cluster == null ? "" : counted(cluster.nodes().size(), "node") + ", generation " + cluster.generation();
    }

    private static String counted(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private String lease() {
        return switch (leadership) {
            case Leadership.Leading _ when holdsLease() -> "lease held";
            case Leadership.Leading _ -> "lease: it ran out and could not be renewed";
            case Leadership.Standby(String holder) when !holder.isEmpty() -> "lease: held by " + holder;
            case Leadership.Standby _ -> "lease: no holder is known";
            case null -> "no lease needed";
        };
    }

    private String heard(WatchStatus watch) {
        Instant at = watch.lastHeardAt();
        return at == null
                ? "nothing heard yet"
                : "heard " + Duration.between(at, clock.instant()).toSeconds() + " s ago";
    }

    private static String line(boolean passed, String check, String detail) {
        return (passed ? "[+] " : "[-] ") + check + (detail.isEmpty() ? "" : ": " + detail) + "\n";
    }
}
