package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.TlsReloadMessage.ReloadResult;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which decisions become Events at the pod that they were about. */
class KubernetesEventVerticleTest {

    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private final Vertx vertx = Vertx.vertx();
    private final KubernetesEventMetrics metrics = new KubernetesEventMetrics();
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

    /** An API server where each pod bears its stamp. */
    private final class Pods implements ApiServerObjectAccess {
        @Override
        public JsonNode metadata(String path) throws IOException {
            String name = path.substring(path.lastIndexOf('/') + 1);
            return new ObjectMapper()
                    .readTree("{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"team\",\"uid\":\"u-" + name
                            + "\",\"creationTimestamp\":\"" + NOW + "\",\"annotations\":{\"" + Pod.STAMP + "\":\""
                            + name
                            + "\"}}}");
        }

        @Override
        public JsonNode object(String path) throws IOException {
            return metadata(path);
        }

        @Override
        public void create(String path, JsonNode object) {
            notes.add(object.path("type").asText() + " " + object.path("note").asText());
        }

        @Override
        public void merge(String path, JsonNode patch) {}
    }

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        vertx.deployVerticle(new KubernetesEventVerticle(
                        new Pods(), () -> NOW, new OwnPodName("gpu-webhook", "sluice-0"), metrics))
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void admit(String name, RecordedDecisionKind kind, Reason reason) {
        decide(SampleRecords.of(kind, reason).stamp(name).words(new VerdictTexts(List.of(name + " waits"), "")), name);
        see(name);
    }

    private void decide(SampleRecords decision, String name) {
        Topic.DECISIONS.publish(
                vertx,
                new ReviewRecordBatch(List.of(
                        decision.at(NOW.toEpochMilli()).pod("team", name).record())));
    }

    private void see(String name) {
        Amounts one = Amounts.of(ResourceName.NVIDIA_GPU, 1);
        Topic.CLUSTER_EVENTS.publish(
                vertx,
                new PodEvent.PodSeen(
                        new Pod(PodId.of("team/" + name), "team/" + name, new Pod.Place.Bound("n1"), one, name, 1)));
    }

    @Test
    void aPodThatWaitsIsTold() throws Exception {
        admit("offered", RecordedDecisionKind.UNCHANGED, Reason.OFFERED);
        admit("waiting", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);

        assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("Warning waiting waits");
        assertThat(notes).isEmpty();
    }

    /** An Event at its pod would tell of something that has not happened. */
    @Test
    void anObservedPodIsNotTold() throws Exception {
        decide(
                SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                        .observed()
                        .words(new VerdictTexts(List.of("observed"), "")),
                "observed");
        see("observed");
        admit("later", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);

        assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("Warning later waits");
    }

    /** Its second record has neither stamp nor sentence; a pod that waits is seen again at once. */
    @Test
    void theRepeatedReviewOfAPodIsNotToldAgain() throws Exception {
        admit("waiting", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);
        decide(SampleRecords.of(RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED), "waiting");
        decide(SampleRecords.of(RecordedDecisionKind.KEPT, Reason.KEPT_AS_WRITTEN), "waiting");
        see("waiting");
        admit("later", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);

        assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("Warning waiting waits");
        assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("Warning later waits");
    }

    /** Gated pods have no stamp, and nothing else tells them from their siblings. */
    @Test
    void aSiblingOfAPodThatWaitsWithoutAStampIsNotTold() throws Exception {
        decide(
                SampleRecords.of(RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED)
                        .words(new VerdictTexts(List.of("a sibling waits"), "")),
                "train-*");
        see("train-b5x7q");
        admit("later", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);

        assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("Warning later waits");
    }

    /** A ninth one of one name has no room beside the others. */
    @Test
    void aDecisionThatHasNoRoomIsCountedAsADroppedRecord() throws Exception {
        for (int i = 0; i < 9; i++) {
            decide(
                    SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                            .words(new VerdictTexts(List.of("changed"), ""))
                            .moves(new PodRequestReplacement(
                                    ResourceName.NVIDIA_GPU, new ResourceName("nvidia.com/mig-" + i))),
                    "train-*");
        }
        admit("later", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);

        assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("Warning later waits");
        assertThat(metrics.families()
                        .counter(MetricName.RECORDS_DROPPED, "consumer", "events")
                        .getCount())
                .isEqualTo(1);
    }

    @Test
    void certificatesThatAreRefusedAgainAfterTheyWereServedAreToldAgain() throws Exception {
        for (ReloadResult result :
                List.of(ReloadResult.REFUSED, ReloadResult.REFUSED, ReloadResult.SERVED, ReloadResult.REFUSED)) {
            Topic.TLS_RELOADS.publish(
                    vertx, new TlsReloadMessage(result, List.of("the key is of another certificate")));
        }
        awaitAll();

        assertThat(count("repeated")).isEqualTo(1);
    }

    /** Of one namespace, a hundred at once are taken. */
    @ParameterizedTest
    @EnumSource(names = {"DENIED", "CHANGED"})
    void whatANamespaceHasBeyondItsShareIsCountedAsDropped(RecordedDecisionKind kind) throws Exception {
        for (int i = 0; i < 103; i++) {
            Topic.DECISIONS.publish(
                    vertx,
                    new ReviewRecordBatch(List.of(SampleRecords.of(kind, Reason.NOT_OFFERED)
                            .pod("greedy", "train")
                            .words(new VerdictTexts(List.of("changed"), "denied"))
                            .record())));
        }
        awaitAll();

        assertThat(count("dropped")).isEqualTo(3);
    }

    /** Everything before has been handled when the Event of a later pod is written. */
    private void awaitAll() throws InterruptedException {
        admit("last", RecordedDecisionKind.UNCHANGED, Reason.EXHAUSTED);
        String note = "";
        while (note != null && !note.equals("Warning last waits")) {
            note = notes.poll(10, TimeUnit.SECONDS);
        }
        assertThat(note).isNotNull();
    }

    private long count(String result) {
        return metrics.families().counter(MetricName.EVENTS, "result", result).getCount();
    }
}
