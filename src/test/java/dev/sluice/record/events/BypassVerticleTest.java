package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceClasses;
import dev.sluice.cluster.dra.DevicePools;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.placement.PlacementNodes;
import dev.sluice.metrics.parts.BypassMetrics;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassCounts;
import dev.sluice.record.BypassedPod;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BypassVerticleTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<BypassCounts> told = new LinkedBlockingQueue<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    /** A gateway that holds the record of a decision until somebody wants it. */
    private final BlockingQueue<ReviewRecordBatch> held = new LinkedBlockingQueue<>();

    /** Happens once the gateway has published what it held, and before it says so. */
    private final AtomicReference<Runnable> afterwards = new AtomicReference<>(() -> {});

    private final BypassMetrics metrics = new BypassMetrics();

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        Topic.BYPASSES.subscribe(vertx, told::add);
        String gateway = vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        EventBusLiveness.answer(vertx, context);
                        Topic.RECORDS_WANTED.subscribe(vertx, _ -> {
                            for (ReviewRecordBatch batch = held.poll(); batch != null; batch = held.poll()) {
                                Topic.DECISIONS.publish(vertx, batch);
                            }
                            afterwards.getAndSet(() -> {}).run();
                        });
                        return Future.succeededFuture();
                    }
                })
                .await();
        vertx.deployVerticle(new BypassVerticle(
                        ActivePolicy.DEFAULT,
                        new RecordFlushRequest(List.of(gateway)),
                        this::instant,
                        Ledger.LONGEST_CREATE,
                        metrics))
                .await();
        now.set(NOON.plusSeconds(40));
        Topic.LEASE_STATE.publish(vertx, new LeaseStateMessage.Leading(NOON, Instant.MAX, Instant.MAX, Instant.MAX));
        tell(new PodEvent.PodsPage(List.of(pod("there"))));
        tell(new PodEvent.ListEnded(1, NOON.plusSeconds(100)));
        Topic.DECISION_GATE.publish(vertx, DecisionGateMessage.NOW);
        assertThat(told.take().completeSince()).isPresent();
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** Time passes whenever somebody looks. */
    private Instant instant() {
        return now.updateAndGet(before -> before.plusMillis(1));
    }

    private void tell(ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(vertx, event);
    }

    private static Pod pod(String name) {
        return new Pod(
                PodId.of(name),
                "team/" + name,
                new Pod.Place.Gated(),
                Amounts.of(ResourceName.NVIDIA_GPU, 1),
                "",
                1,
                NOON.plusSeconds(40).toString());
    }

    @Test
    void aPodWhoseDecisionIsStillHeldIsNotAccusedAndAnotherOneIs() throws Exception {
        held.add(new ReviewRecordBatch(
                List.of(SampleRecords.unchanged().pod("team", "decided").record())));
        tell(new PodEvent.PodSeen(pod("decided")));
        tell(new PodEvent.PodSeen(pod("bypassed")));

        BypassCounts report = told.take();
        assertThat(report.newest())
                .containsExactly(new BypassedPod("team/bypassed", BypassCause.NOT_ASKED, NOON.plusSeconds(40)));
        assertThat(metrics.families().numbers().toString()).contains("namespace=\"team\"");
    }

    @Test
    void gatewaysAreNotAskedForRecordsWhileThereIsNoPodToCompare() throws Exception {
        tell(new PodEvent.PodSeen(pod("bypassed")));
        assertThat(told.take().newest()).hasSize(1);
        BlockingQueue<Boolean> asked = new LinkedBlockingQueue<>();
        Topic.RECORDS_WANTED.subscribe(vertx, _ -> asked.add(true));

        assertThat(asked.poll(2_500, TimeUnit.MILLISECONDS)).as("two sweeps").isNull();

        tell(new PodEvent.PodSeen(pod("another")));
        assertThat(asked.take()).isTrue();
    }

    @Test
    void whileTheGateIsClosedTheCauseIsThatNobodyDecides() throws Exception {
        Topic.DECISION_GATE.publish(vertx, new DecisionGateMessage("what is known is old"));
        tell(new PodEvent.PodSeen(pod("bypassed")));

        assertThat(told.take().newest()).extracting(BypassedPod::cause).containsExactly(BypassCause.NOT_DECIDING);
    }

    /** The gateways may still hold the decision about such a pod. */
    @Test
    void aPodThatIsSeenAfterTheGatewaysWereAskedIsNotJudgedByTheirAnswer() throws Exception {
        tell(new PodEvent.PodSeen(pod("bypassed")));
        afterwards.set(() -> {
            tell(new PodEvent.PodSeen(pod("decided-later")));
            held.add(new ReviewRecordBatch(List.of(
                    SampleRecords.unchanged().pod("team", "decided-later").record())));
        });

        assertThat(told.take().newest()).extracting(BypassedPod::fullName).containsExactly("team/bypassed");

        tell(new PodEvent.PodSeen(pod("bypassed-too")));
        assertThat(told.take().newest())
                .extracting(BypassedPod::fullName)
                .containsExactly("team/bypassed-too", "team/bypassed");
    }

    /** Only the cluster tells that such a name stands for a GPU. */
    @Test
    void aPodThatAsksForTheNameOfADeviceClassIsCompared() throws Exception {
        DeviceClass known = new DeviceClass("gpu.nvidia.com", "", NOON, List.of());
        DeviceSupply supply =
                new DeviceSupply(DeviceClasses.of(List.of(known)), DevicePools.NONE, DeviceSupply.Knowledge.ALL);
        Topic.SNAPSHOTS.publish(vertx, PlacementNodes.snapshotOf(List.of(), supply));
        assertThat(told.take().completeSince()).isEmpty();

        Instant later = NOON.plusSeconds(600);
        now.set(later);
        tell(new PodEvent.PodsSyncedUpTo(later));
        tell(new PodEvent.PodSeen(new Pod(
                PodId.of("bypassed"),
                "team/bypassed",
                new Pod.Place.Gated(),
                Amounts.of(ResourceName.ofDeviceClass("gpu.nvidia.com"), 1),
                "",
                1,
                later.toString())));

        assertThat(told.take().newest()).extracting(BypassedPod::fullName).containsExactly("team/bypassed");
    }
}
