package dev.sluice.management;

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

    void stopping(Topic.Stopping signal) {
        stopping = true;
    }

    Optional<ClusterSnapshot> cluster() {
        return Optional.ofNullable(cluster);
    }

    /** True once all pods have been told. */
    boolean knowsPods() {
        WatchStatus pods = watches.get(WatchStatus.Kind.PODS);
        return pods != null && pods.isSynced();
    }

    boolean isReady() {
        return cluster != null && !stopping;
    }

    String brief() {
        return isReady() ? "ok\n" : stopping ? "stopping\n" : "the cluster has not been listed yet\n";
    }

    /** Each check on a line, as the API server's own page has it. */
    String verbose() {
        return line(cluster != null, "cluster listed", known())
                + line(!stopping, "not stopping", "")
                + watches.values().stream().map(this::told).collect(Collectors.joining())
                + (isReady() ? "readyz check passed\n" : "readyz check failed\n");
    }

    private String told(WatchStatus watch) {
        return "    watch of " + watch.kind().word() + ": " + watch.source() + ", " + heard(watch) + ", "
                + watch.relists()
                + " relists, " + watch.failures() + " failures"
                + (watch.problem().isEmpty() ? "" : "; " + watch.problem()) + "\n";
    }

    private String known() {
        return cluster == null ? "" : cluster.nodes().size() + " nodes, generation " + cluster.generation();
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
