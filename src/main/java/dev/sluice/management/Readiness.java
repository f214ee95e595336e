package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.Policy;
import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.replication.Member;
import dev.sluice.text.CountText;
import dev.sluice.text.SafeText;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether this replica is ready for reviews. In allocatable mode, every replica decides by itself, from the
 * Allocatable of the nodes. Such a replica stays ready even if its watch is broken, because an outdated decision may be
 * better than none. The policy can require that the state is current.
 */
final class Readiness {

    private final InstantSource clock;
    private @Nullable ClusterSnapshot cluster;
    private final Map<ObjectKind, WatchStatusMessage> watches = new EnumMap<>(ObjectKind.class);
    /**
     * The state of replication: which replica decides, and which replicas are in sync. It is null in allocatable mode,
     * and if this is the only replica that can decide.
     */
    private @Nullable ReplicationStatusMessage replication;
    /**
     * States whether reviews that this replica receives can be answered: it decides, or knows the replica that decides.
     * It is null in allocatable mode, in which every replica decides.
     */
    private @Nullable DecisionGateMessage decisionGate;

    private ActivePolicy policy;
    private FreshnessMessage freshness = FreshnessMessage.unproved(FreshnessMessage.NO_LIMIT);
    private boolean stopping;
    /** The served certificate. It is null if the certificate never changes. */
    private @Nullable ActiveTlsMessage tls;

    private List<String> tlsProblems = List.of();

    Readiness(InstantSource clock, ActivePolicy policy, Optional<ActiveTlsMessage> tls) {
        this.clock = clock;
        this.tls = tls.orElse(null);
        this.policy = policy;
    }

    void snapshot(ClusterSnapshot newest) {
        cluster = newest;
    }

    void watch(WatchStatusMessage newest) {
        watches.put(newest.kind(), newest);
    }

    void replication(ReplicationStatusMessage newest) {
        replication = newest;
    }

    void decisionGate(DecisionGateMessage newest) {
        decisionGate = newest;
    }

    void freshness(FreshnessMessage newest) {
        freshness = newest;
    }

    void policy(ActivePolicy newest) {
        policy = newest;
    }

    void tls(ActiveTlsMessage newest) {
        tls = newest;
    }

    void tlsReload(TlsReloadMessage newest) {
        tlsProblems = newest.problems();
    }

    void leaving(Topic.Leaving signal) {
        stopping = true;
    }

    void stopping(Topic.Stopping signal) {
        stopping = true;
    }

    Optional<ClusterSnapshot> cluster() {
        return Optional.ofNullable(cluster);
    }

    boolean isReady() {
        return cluster != null && (isAbleToDecide() || onlyObserves()) && isTrusted() && !stopping;
    }

    private boolean isAbleToDecide() {
        return (isDeciding() || isAwaited()) && isCurrent();
    }

    /**
     * Returns true if the policy is enforced in no namespace. The replica is then ready even if no decision is
     * possible, because it allows every pod anyway. With {@code failurePolicy: Fail}, the API server would refuse all
     * pods if no replica were ready.
     */
    private boolean onlyObserves() {
        return policy.policies().all().allMatch(Policy::observes);
    }

    /**
     * Returns true if the holder of the Lease is an old replica that shares no reservations, and this replica knows the
     * current nodes and pods. A rollout then probably waits for this replica: it terminates the old replica only when
     * this one is ready. Until then, this replica can neither decide nor forward reviews.
     */
    private boolean isAwaited() {
        return replication != null
                && replication.holderSharesNothing()
                && isProved(ObjectKind.NODES)
                && isProved(ObjectKind.PODS);
    }

    private boolean isProved(ObjectKind kind) {
        return !freshness.of(kind).equals(Instant.MIN) && freshness.isCurrent(kind, clock.instant());
    }

    /**
     * Returns false if the served certificate has expired. The result does not depend on new certificate files, even if
     * they cannot be used.
     */
    private boolean isTrusted() {
        return tls == null || !tls.hasExpired(clock.instant());
    }

    /**
     * Returns true if the state of the nodes is current, or if the policy does not require this. Always returns true in
     * availability mode, in which the {@link DecisionGateMessage} depends on the state of the nodes.
     */
    private boolean isCurrent() {
        boolean asked = !policy.policies().reserve() && policy.policies().base().whenStale() == Policy.WhenStale.RETRY;
        return !asked || freshness.isCurrent(ObjectKind.NODES, clock.instant());
    }

    /** Returns the objects of this kind that could not be read. */
    MalformedClusterObjects unreadable(ObjectKind kind) {
        WatchStatusMessage watch = watches.get(kind);
        return watch == null ? MalformedClusterObjects.NONE : watch.unreadable();
    }

    /** Returns true if the service account may not list objects of this kind. */
    boolean isWithheld(ObjectKind kind) {
        WatchStatusMessage watch = watches.get(kind);
        return watch != null && watch.isWithheld();
    }

    /** Returns true if this replica makes decisions, or can forward reviews to the replica that does. */
    private boolean isDeciding() {
        return decisionGate == null || decisionGate.now();
    }

    /** Returns the answer for clients without access to the checks. It contains no names of objects in the cluster. */
    String brief() {
        return line(isReady() ? "ok" : reason());
    }

    private String reason() {
        if (stopping) {
            return "stopping";
        }
        if (tls != null && !isTrusted()) {
            return "the certificate that is served expired on " + tls.notAfter();
        }
        if (cluster == null) {
            return "the cluster has not been listed yet";
        }
        if (!isCurrent()) {
            return "not deciding: " + freshness.blockedBy(ObjectKind.NODES, clock.instant());
        }
        if (replication != null
                && !replication.isLeading()
                && replication.holder().isPresent()) {
            return "not deciding: another replica decides";
        }
        return decisionGate == null ? "" : "not deciding: " + decisionGate.blockedBy();
    }

    /** Returns the checks, one on each line, in the format of the API server's {@code /readyz?verbose}. */
    String verbose() {
        return check(cluster != null, "cluster listed", known())
                + (decisionGate == null ? "" : check(isDeciding() || isAwaited(), "deciding", deciding(decisionGate)))
                + (isCurrent() ? "" : check(/* passed= */ false, "nodes current", ""))
                + (tls == null ? "" : certificate(tls))
                + check(!stopping, "not stopping", "")
                + (replication == null ? "" : replicationLines(replication))
                + watches.values().stream().map(this::watchLines).collect(Collectors.joining())
                + line(isReady() ? "readyz check passed" : "readyz check failed");
    }

    private String certificate(ActiveTlsMessage served) {
        String validity = (isTrusted() ? "valid until " : "expired on ") + served.notAfter();
        return check(isTrusted(), "certificate", validity)
                + (tlsProblems.isEmpty()
                        ? ""
                        : line("    the new certificate cannot be used: " + String.join("; ", tlsProblems)));
    }

    private String watchLines(WatchStatusMessage watch) {
        String begin = "    watch of " + watch.kind().word() + ": " + watch.source() + ", ";
        if (watch.isWithheld()) {
            return line(begin + "not listed, because the account may not list them; Allocated is unknown");
        }
        String unread = watch.unreadable().sentence(watch.kind().singular());
        return line(begin + heard(watch) + ", " + proof(watch.kind()) + ", " + CountText.of(watch.relists(), "relist")
                        + ", "
                        + CountText.of(watch.failures(), "failure")
                        + (watch.problem().isEmpty() ? "" : "; " + watch.problem()))
                + (unread.isEmpty() ? "" : line("    " + unread));
    }

    private String proof(ObjectKind kind) {
        Instant now = clock.instant();
        if (freshness.of(kind).equals(Instant.MIN)) {
            return "not proved to be current";
        }
        String age = "current as of " + freshness.age(kind, now).toSeconds() + " s ago";
        return freshness.limit().equals(FreshnessMessage.NO_LIMIT)
                ? age
                : age + (freshness.isCurrent(kind, now) ? " (limit " : " (too old: the limit is ")
                        + freshness.limit().toSeconds() + " s)";
    }

    private String known() {
        return cluster == null ? "" : CountText.of(cluster.size(), "node") + ", generation " + cluster.generation();
    }

    private String deciding(DecisionGateMessage gate) {
        if (!isDeciding() && isAwaited()) {
            return "by a replica that shares no reservations, until a rollout ends it; reviews get 503 here";
        }
        return gate.now() && !gate.decidesHere()
                ? "by another replica, to which reviews are forwarded"
                : gate.blockedBy();
    }

    private static String replicationLines(ReplicationStatusMessage status) {
        return line("    lease: " + lease(status) + ", term " + status.term()
                        + (status.leaseProblem().isEmpty()
                                ? ""
                                : "; it can neither be read nor written: " + status.leaseProblem()))
                + line("    in sync: "
                        + (status.inSync().isEmpty() ? "nobody is known" : names(status.inSync().stream())))
                + (status.lag().isEmpty() ? "" : line("    entries behind this replica: " + lag(status)))
                + line("    " + CountText.of(status.entries(), "reservation") + " held, "
                        + CountText.of(status.takeovers(), "takeover") + " by this replica"
                        + (status.takeovers() == 0 ? "" : ", the last one took " + seconds(status.lastTakeover())));
    }

    private static String lease(ReplicationStatusMessage status) {
        if (status.isLeading()) {
            return "held by this replica, " + status.self().identity();
        }
        return status.holder().map(holder -> "held by " + holder.identity()).orElse("no holder is known");
    }

    /**
     * Returns a text with the replicas to which the holder of the Lease sends its decisions, and the number of
     * decisions that each of them still lacks.
     */
    private static String lag(ReplicationStatusMessage status) {
        return status.lag().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(behind -> behind.getKey().identity() + " " + behind.getValue()
                        + (status.inSync().contains(behind.getKey()) ? "" : " (not in sync)"))
                .collect(Collectors.joining(", "));
    }

    private static String names(Stream<Member> members) {
        return members.map(Member::identity).collect(Collectors.joining(", "));
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).toPlainString() + " s";
    }

    private String heard(WatchStatusMessage watch) {
        Instant at = watch.lastHeardAt();
        return at == null
                ? "no answer yet"
                : "last answer " + Duration.between(at, clock.instant()).toSeconds() + " s ago";
    }

    private static String check(boolean passed, String check, String detail) {
        return line((passed ? "[+] " : "[-] ") + check + (detail.isEmpty() ? "" : ": " + detail));
    }

    /**
     * Returns a line of the page. The line is escaped, because the holder of the Lease, paths and problems are
     * untrusted text.
     */
    private static String line(String text) {
        return SafeText.line(text) + "\n";
    }
}
