package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.ledger.placement.PlacementNodes;
import dev.sluice.replication.Member;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadinessTest {

    private static final DecisionGateMessage WAITING =
            new DecisionGateMessage("pods of the former holder may not have been seen yet");

    private static final Member SELF = new Member("pod-a_1", "10.0.0.1:8444");
    private static final Member OTHER = new Member("pod-b_2", "10.0.0.2:8444");

    private final Readiness readiness = new Readiness(() -> Instant.EPOCH, ActivePolicy.DEFAULT, Optional.empty());

    ReadinessTest() {
        readiness.snapshot(PlacementNodes.snapshotOf(List.of()));
    }

    @Test
    void needsNoLeaseWhereNobodyReserves() {
        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.verbose()).doesNotContain("deciding", "lease");
    }

    @Test
    void countsInWordsThatFitTheNumber() {
        WatchStatusMessage listedTwice = WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.NODES, "nodes")
                .failed("")
                .listed(Instant.EPOCH);
        readiness.watch(listedTwice.listed(Instant.EPOCH));
        readiness.watch(WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.PODS, "pods"));

        assertThat(readiness.verbose())
                .contains("cluster listed: 0 nodes, ")
                .contains(", 1 relist, 1 failure\n")
                .contains(", 0 relists, 0 failures\n");
    }

    private static ReplicationStatusMessage status(
            Optional<Member> holder, Map<Member, Long> lag, Duration lastTakeover) {
        return new ReplicationStatusMessage(
                SELF, holder, 7, List.of(SELF, OTHER), lag, 12, lastTakeover.isZero() ? 0 : 2, lastTakeover, 0, "");
    }

    private static ReplicationStatusMessage leading() {
        return status(Optional.of(SELF), Map.of(), Duration.ZERO);
    }

    @Test
    void isNotReadyWhileTheHolderStillWaits() {
        readiness.replication(leading());
        readiness.decisionGate(WAITING);

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief()).isEqualTo("not deciding: " + WAITING.blockedBy() + "\n");
        assertThat(readiness.verbose())
                .contains("[-] deciding: " + WAITING.blockedBy() + "\n")
                .contains("    lease: held by this replica, pod-a_1, term 7\n")
                .endsWith("readyz check failed\n");
    }

    /** Without the reason, nobody sees that a right is missing (open-telemetry/opentelemetry-operator#149). */
    @Test
    void saysWhyTheLeaseCanNeitherBeReadNorWritten() {
        readiness.replication(new ReplicationStatusMessage(
                SELF, Optional.empty(), 0, List.of(), Map.of(), 0, 0, Duration.ZERO, 0, "leases is forbidden"));
        assertThat(readiness.verbose())
                .contains("    lease: no holder is known, term 0;"
                        + " it can neither be read nor written: leases is forbidden\n");
    }

    /** Else failurePolicy Fail would refuse all pods of a policy that refuses none. */
    @Test
    void isReadyWithoutDecisionsIfThePolicyOnlyObserves() {
        Policy observed = PolicySwitches.with(Policy.DEFAULT, Policy.Enforcement.OBSERVE);
        readiness.replication(leading());
        readiness.decisionGate(WAITING);
        readiness.policy(ActivePolicy.first(new Policies(observed, Map.of()), Injector.NONE));
        assertThat(readiness.isReady()).isTrue();

        readiness.policy(ActivePolicy.first(
                new Policies(observed, Map.of(new NamespaceGlob("team"), Policy.DEFAULT)), Injector.NONE));
        assertThat(readiness.isReady()).isFalse();
    }

    @Test
    void isReadyOnceItDecides() {
        readiness.replication(leading());
        readiness.decisionGate(WAITING);
        readiness.decisionGate(DecisionGateMessage.NOW);

        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.brief()).isEqualTo("ok\n");
        assertThat(readiness.verbose()).contains("[+] deciding\n");
    }

    @Test
    void isReadyOnceItKnowsTheReplicaThatDecides() {
        readiness.replication(status(Optional.of(OTHER), Map.of(), Duration.ZERO));
        readiness.decisionGate(DecisionGateMessage.ELSEWHERE);

        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.verbose()).contains("""
                [+] deciding: by another replica, to which reviews are forwarded
                [+] not stopping
                    lease: held by pod-b_2, term 7
                    in sync: pod-a_1, pod-b_2
                    12 reservations held, 0 takeovers by this replica
                """);
    }

    /** Or the rollout that ends a holder of a former version would wait for ever. */
    @Test
    void isReadyBehindAHolderThatSharesNothing() {
        readiness.replication(status(Optional.of(new Member("former_1", "")), Map.of(), Duration.ZERO));
        readiness.decisionGate(new DecisionGateMessage("another replica decides: former_1"));

        assertThat(readiness.isReady())
                .as("before the cluster is known to be current")
                .isFalse();
        readiness.freshness(new FreshnessMessage(Instant.EPOCH, Instant.MIN, Duration.ofSeconds(30)));
        assertThat(readiness.isReady()).as("before the pods are known").isFalse();
        readiness.freshness(new FreshnessMessage(Instant.MIN, Instant.EPOCH, Duration.ofSeconds(30)));
        assertThat(readiness.isReady()).as("before the nodes are known").isFalse();
        readiness.freshness(new FreshnessMessage(Instant.EPOCH, Instant.EPOCH, Duration.ofSeconds(30)));
        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.verbose())
                .contains("[+] deciding: by a replica that shares no reservations, until a rollout ends it");
    }

    /** Reviews would get 503 here for ever, because no rollout ends the holder. */
    @Test
    void isNotReadyBehindAHolderIfItHasNoPortForOthersItself() {
        readiness.replication(new ReplicationStatusMessage(
                new Member("pod-a_1", ""),
                Optional.of(new Member("pod-b_2", "")),
                7,
                List.of(),
                Map.of(),
                0,
                0,
                Duration.ZERO,
                0,
                ""));
        readiness.decisionGate(new DecisionGateMessage("another replica decides: pod-b_2"));
        readiness.freshness(new FreshnessMessage(Instant.EPOCH, Instant.EPOCH, Duration.ofSeconds(30)));

        assertThat(readiness.isReady()).isFalse();
    }

    @Test
    void isNotReadyWhileNobodyDecides() {
        readiness.replication(status(Optional.empty(), Map.of(), Duration.ZERO));
        readiness.decisionGate(new DecisionGateMessage("no replica holds the lease yet"));

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief()).isEqualTo("not deciding: no replica holds the lease yet\n");
        assertThat(readiness.verbose()).contains("    lease: no holder is known, term 7\n");
    }

    @Test
    void theHolderShowsHowFarTheOthersAreAndHowLongItsTakeoverTook() {
        readiness.replication(status(
                Optional.of(SELF),
                Map.of(OTHER, 0L, new Member("pod-c_3", "10.0.0.3:8444"), 40L),
                Duration.ofMillis(840)));

        assertThat(readiness.verbose())
                .contains("    entries behind this replica: pod-b_2 0, pod-c_3 40 (not in sync)\n")
                .contains(", 2 takeovers by this replica, the last one took 0.840 s\n");
    }

    @Test
    void isNotReadyOnceTheServedCertificateHasExpiredAndOnlyThen() {
        CertificateAuthority authority =
                CertificateAuthority.create(Instant.EPOCH.minusSeconds(100), Duration.ofSeconds(200));
        CertifiedKey pair = authority.issue(
                new ServerCertificateNames(List.of("a"), List.of()),
                Instant.EPOCH.minusSeconds(90),
                Duration.ofSeconds(60));
        readiness.tlsReload(new TlsReloadMessage(TlsReloadMessage.ReloadResult.REFUSED, List.of("tls.key: gone")));
        assertThat(readiness.isReady()).isTrue();

        readiness.tls(ActiveTlsMessage.first(ServerTls.open(pair, TlsEngine.JDK), List.of(), Instant.EPOCH));

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief())
                .isEqualTo("the certificate that is served expired on "
                        + pair.certificate().getNotAfter().toInstant() + "\n");
        assertThat(readiness.verbose())
                .contains("[-] certificate: expired on ", "the new certificate cannot be used: tls.key: gone\n");
    }

    @Test
    void isNotReadyOnceItLeaves() {
        readiness.leaving(new Topic.Leaving());

        assertThat(readiness.isReady()).isFalse();
    }

    @Test
    void isNotReadyOnceItStops() {
        readiness.replication(leading());
        readiness.decisionGate(DecisionGateMessage.NOW);
        assertThat(readiness.isReady()).isTrue();

        readiness.stopping(new Topic.Stopping());

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief()).isEqualTo("stopping\n");
        assertThat(readiness.verbose()).contains("[-] not stopping\n").endsWith("readyz check failed\n");
    }

    private static ActivePolicy policy(Policy.WhenStale whenStale) {
        Policy base = PolicySwitches.with(Policy.DEFAULT, whenStale);
        return ActivePolicy.first(new Policies(base, Map.of()), Injector.NONE);
    }

    private void nodesAreKnownAsOf(int secondsAgo) {
        readiness.watch(WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.NODES, "nodes")
                .listed(Instant.EPOCH));
        readiness.freshness(
                new FreshnessMessage(Instant.EPOCH.minusSeconds(secondsAgo), Instant.EPOCH, Duration.ofSeconds(30)));
    }

    @Test
    void saysHowOldWhatIsKnownIsAndHowOldItMayBe() {
        nodesAreKnownAsOf(30);
        assertThat(readiness.verbose()).contains(", current as of 30 s ago (limit 30 s), ");

        nodesAreKnownAsOf(31);
        assertThat(readiness.verbose()).contains(", current as of 31 s ago (too old: the limit is 30 s), ");
        assertThat(readiness.isReady()).as("by the default").isTrue();
    }

    @Test
    void isNotReadyByOldNodesWhereThePolicySaysSo() {
        readiness.policy(policy(Policy.WhenStale.RETRY));
        nodesAreKnownAsOf(30);
        assertThat(readiness.isReady()).isTrue();

        nodesAreKnownAsOf(31);
        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief())
                .isEqualTo("not deciding: what is known of the nodes is 31 s old, and nothing is decided by what is"
                        + " older than 30 s\n");
        assertThat(readiness.verbose()).contains("[-] nodes current\n").endsWith("readyz check failed\n");

        readiness.policy(policy(Policy.WhenStale.DECIDE));
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void aFileIsCurrentByItsOwnRuleButSaysItsAge() {
        readiness.policy(policy(Policy.WhenStale.RETRY));
        readiness.watch(WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.NODES, "file c.json")
                .listed(Instant.EPOCH));
        readiness.freshness(
                new FreshnessMessage(Instant.EPOCH.minusSeconds(900), Instant.EPOCH, FreshnessMessage.NO_LIMIT));

        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.verbose()).contains("file c.json, last answer 0 s ago, current as of 900 s ago, ");
    }

    @Test
    void namesWhatCannotBeReadAndSaysWhatMayNotBeListed() {
        readiness.watch(WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.NODES, "nodes")
                .unreadable(new MalformedClusterObjects(3, 1, List.of("n\u001b[1m\n2"))));
        readiness.watch(WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.PODS, "pods")
                .withheld());

        assertThat(readiness.verbose())
                .contains("    1 node could not be read and is not counted: n\\u001b[1m 2\n")
                .contains("pods, not listed, because the account may not list them; Allocated is unknown\n");
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void aHolderOfTheLeaseForgesNoLineAndSteersNoTerminal() {
        Member hostile = new Member("x\n[+] deciding\u001b[2J\u202e", "");
        readiness.replication(status(Optional.of(hostile), Map.of(hostile, 1L), Duration.ZERO));
        readiness.decisionGate(new DecisionGateMessage("another replica decides: " + hostile.identity()));

        assertThat(readiness.verbose())
                .contains("    lease: held by x [+] deciding\\u001b[2J\\u202e, term 7\n")
                .contains("    entries behind this replica: x [+] deciding\\u001b[2J\\u202e 1 (not in sync)\n");
        assertThat(readiness.brief()).isEqualTo("not deciding: another replica decides\n");
    }
}
