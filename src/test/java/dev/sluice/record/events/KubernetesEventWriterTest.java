package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.kube.client.ApiStatus;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.SampleRecords;
import dev.sluice.record.events.EventsAwaitingPods.Sighting;
import dev.sluice.record.events.KubernetesEventWriter.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesEventWriterTest {

    private static final String POD = "api/v1/namespaces/team/pods/train-b5x7q";
    private static final String SET = "apis/apps/v1/namespaces/team/replicasets/train";
    private static final PodRequestReplacement MOVE = new PodRequestReplacement(
            new ResourceName("nvidia.com/mig-3g.40gb"), new ResourceName("nvidia.com/mig-2g.20gb"));

    private final Objects objects = new Objects();
    private final KubernetesEventMetrics metrics = new KubernetesEventMetrics();
    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final KubernetesEventWriter announcer =
            new KubernetesEventWriter(objects, () -> now, new OwnPodName("gpu-webhook", "sluice-0"), metrics);

    /** An API server that holds these objects. */
    private static final class Objects implements ApiServerObjectAccess {
        private final Map<String, String> held = new HashMap<>();
        private final List<String> reads = new ArrayList<>();
        private final List<JsonNode> created = new ArrayList<>();
        private final List<String> merged = new ArrayList<>();
        private String refusal = "";
        private boolean expired;

        @Override
        public JsonNode metadata(String path) throws IOException {
            reads.add(path);
            String object = held.get(path);
            if (object == null) {
                throw new ApiFailure(new ApiStatus(404, "NotFound", "there is none"));
            }
            return new ObjectMapper().readTree(object);
        }

        @Override
        public JsonNode object(String path) throws IOException {
            return metadata(path);
        }

        @Override
        public void create(String path, JsonNode object) throws IOException {
            if (!refusal.isEmpty()) {
                throw new ApiFailure(new ApiStatus(403, "Forbidden", refusal));
            }
            created.add(object);
        }

        @Override
        public void merge(String path, JsonNode patch) throws IOException {
            if (expired) {
                throw new ApiFailure(new ApiStatus(404, "NotFound", "there is none"));
            }
            merged.add(path + " " + patch);
        }
    }

    @Test
    void tellsThePodAndTheDeploymentAboveItsReplicaSet() throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", owner("ReplicaSet", "train", "u-set")));
        objects.held.put(SET, object("train", "u-set", owner("Deployment", "train", "u-deployment")));

        announcer.work(seen(changed()));

        assertThat(objects.created)
                .extracting(event -> event.at("/regarding/kind").asText() + " "
                        + event.at("/regarding/uid").asText() + ": "
                        + event.path("note").asText())
                .containsExactly(
                        "Pod u-pod: container main: no node offers it",
                        "Deployment u-deployment: A pod of this Deployment was given another GPU resource: container"
                                + " main: no node offers it");
        JsonNode event = objects.created.getFirst();
        assertThat(event.path("type").asText()).isEqualTo("Normal");
        assertThat(event.path("reason").asText()).isEqualTo("NotOffered");
        assertThat(event.path("eventTime").asText()).isEqualTo("2026-11-23T12:00:00.000000Z");
        assertThat(event.path("reportingInstance").asText()).isEqualTo("sluice-0");
        assertThat(event.at("/metadata/name").asText()).startsWith("train-b5x7q.");
        assertThat(page()).contains("gpu_webhook_events_total{result=\"created\"} 2.0");
    }

    @Test
    void countsTheNextPodsOfADeploymentInItsSeries() throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", owner("ReplicaSet", "train", "u-set")));
        objects.held.put(
                POD + "2",
                pod("3g.40gb->2g.20gb", owner("ReplicaSet", "train", "u-set")).replace("u-pod", "u-2"));
        objects.held.put(SET, object("train", "u-set", owner("Deployment", "train", "u-deployment")));
        announcer.work(seen(changed()));

        announcer.work(List.of(new Task.PodSighted(new Sighting("team", "train-b5x7q2", List.of(changed())))));
        assertThat(objects.created).hasSize(3);
        assertThat(objects.merged).isEmpty();
        assertThat(page()).contains("gpu_webhook_events_total{result=\"repeated\"} 1.0");
        now = now.plus(EventRecorder.BETWEEN_WRITES);
        announcer.work(List.of());
        now = now.plus(EventRecorder.BETWEEN_WRITES);
        announcer.work(List.of());

        assertThat(objects.merged)
                .as("what has not grown is not written again")
                .singleElement()
                .asString()
                .contains("\"count\":2");
        assertThat(page()).contains("gpu_webhook_events_total{result=\"repeated\"} 1.0");
        assertThat(objects.reads.stream().filter(SET::equals)).hasSize(1);
    }

    /** The API server keeps an Event for an hour. */
    @Test
    void createsAnEventThatHasExpiredAnew() throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", ""));
        announcer.work(seen(changed()));
        announcer.work(seen(changed()));
        objects.expired = true;
        now = now.plus(EventRecorder.BETWEEN_WRITES);

        announcer.work(List.of());

        assertThat(objects.created).hasSize(2);
        assertThat(objects.created.getLast().path("note").asText()).isEqualTo("container main: no node offers it");
        assertThat(page()).contains("gpu_webhook_events_total{result=\"created\"} 2.0");
    }

    @Test
    void anEventOfANamespaceThatIsGoneHoldsUpNoOther() throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", ""));
        objects.held.put(POD + "2", pod("3g.40gb->2g.20gb", "").replace("u-pod", "u-2"));
        announcer.work(seen(changed()));
        announcer.work(List.of(new Task.PodSighted(new Sighting("team", "train-b5x7q2", List.of(changed())))));
        announcer.work(seen(changed()));
        announcer.work(List.of(new Task.PodSighted(new Sighting("team", "train-b5x7q2", List.of(changed())))));
        objects.expired = true;
        objects.refusal = "namespace team is being terminated";
        now = now.plus(EventRecorder.BETWEEN_WRITES);

        announcer.work(List.of());

        assertThat(page()).contains("gpu_webhook_events_total{result=\"failed\"} 2.0");
    }

    @Test
    void tellsNoPodThatBearsAnotherChangeOrIsOlder() throws Exception {
        objects.held.put(POD, pod("3g.40gb->1g.10gb", ""));
        announcer.work(seen(changed()));
        objects.held.put(POD, pod("3g.40gb->2g.20gb", "").replace("2026-11-23T11:59:59Z", "2026-11-23T11:58:00Z"));
        announcer.work(seen(changed()));
        objects.held.remove(POD);
        announcer.work(seen(changed()));

        assertThat(objects.created).isEmpty();
    }

    /** The clock of the API server is an hour slow. */
    @Test
    void aStampIsEnoughToKnowThePod() throws Exception {
        objects.held.put(
                POD,
                pod("3g.40gb->2g.20gb\", \"gpu-webhook.k8s.io/decision\": \"stamp-1", "")
                        .replace("2026-11-23T11:59:59Z", "2026-11-23T10:59:59Z"));

        announcer.work(seen(changed("stamp-1")));

        assertThat(objects.created).hasSize(1);
    }

    @Test
    void believesNoOwnerReferenceThatLeadsElsewhere() throws Exception {
        objects.held.put(SET, object("train", "u-other", owner("Deployment", "train", "u-deployment")));
        for (String owner : List.of(
                owner("ReplicaSet", "train", "u-set"),
                owner("StatefulSet", "../../secrets/s", "u-1"),
                owner("Stateful\\nSet", "train", "u-1"))) {
            objects.created.clear();
            objects.held.put(POD, pod("3g.40gb->2g.20gb", owner).replace("u-pod", "u-pod" + owner.hashCode()));

            announcer.work(seen(changed()));

            assertThat(objects.created).hasSize(1);
        }
        assertThat(objects.reads).noneMatch(path -> path.contains("secrets"));
    }

    @Test
    void tellsADenialToWhatSomebodyAppliedAndNotToTheReplicaSetThatKnowsIt() throws Exception {
        objects.held.put(SET, object("train", "u-set", owner("Deployment", "train", "u-deployment")));
        objects.held.put(SET + "-alone", object("train-alone", "u-alone", ""));

        announcer.work(List.of(new Task.PodDenied(denied("ReplicaSet", "train"))));
        announcer.work(List.of(new Task.PodDenied(denied("ReplicaSet", "train-alone"))));
        announcer.work(List.of(new Task.PodDenied(denied("", ""))));
        announcer.work(List.of(new Task.PodDenied(denied("ReplicaSet", "../x"))));

        assertThat(objects.created).singleElement().satisfies(event -> {
            assertThat(event.at("/regarding/uid").asText()).isEqualTo("u-deployment");
            assertThat(event.path("type").asText()).isEqualTo("Warning");
            assertThat(event.path("note").asText()).isEqualTo("A pod of this Deployment was denied: nobody offers it");
        });
    }

    @Test
    void cutsANoteWhereTheApiServerTakesNoMore() throws Exception {
        objects.held.put("api/v1/namespaces/gpu-webhook/pods/sluice-0", object("sluice-0", "u-self", ""));

        announcer.work(List.of(new Task.CertificateRefused(new TlsReloadMessage(
                TlsReloadMessage.ReloadResult.REFUSED, List.of("\u001b\u202e" + "ä".repeat(400), "é\n".repeat(400))))));

        String note = objects.created.getFirst().path("note").asText();
        assertThat(note.getBytes(StandardCharsets.UTF_8).length).isBetween(1_022, 1_024);
        assertThat(note).contains("\\u001b\\u202eää").doesNotContainPattern("\\p{C}");
    }

    @Test
    void stopsForAWhileWhereTheRightIsMissing() throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", ""));
        DecisionRecord decision = changed();
        objects.refusal = "events.events.k8s.io is forbidden: User \"s\" cannot create resource \"events\"";
        announcer.work(seen(decision));
        assertThat(announcer.isPaused()).isTrue();
        objects.refusal = "";
        now = now.plusSeconds(301);

        assertThat(announcer.isPaused()).isFalse();
        announcer.work(seen(decision));

        assertThat(objects.created).hasSize(1);
        assertThat(page()).contains("gpu_webhook_events_total{result=\"failed\"} 1.0");
    }

    @Test
    void aTaskForWhichThereIsNoRoomIsCountedAsDropped() throws Exception {
        for (int i = 0; i < 1_024; i++) {
            announcer.offer(new Task.PodDenied(denied("", "")));
        }
        assertThat(page()).contains("gpu_webhook_events_total{result=\"dropped\"} 0.0");

        announcer.offer(new Task.PodDenied(denied("", "")));
        assertThat(page()).contains("gpu_webhook_events_total{result=\"dropped\"} 1.0");
    }

    @Test
    void whatComesWhileARightIsMissingIsCountedAsDropped() throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", ""));
        objects.refusal = "events.events.k8s.io is forbidden: User \"s\" cannot create resource \"events\"";
        announcer.work(seen(changed()));
        announcer.offer(seen(changed()).getFirst());
        Thread running = Thread.ofVirtual().start(announcer);

        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!page().contains("gpu_webhook_events_total{result=\"dropped\"} 1.0")) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
        running.interrupt();
        running.join();
    }

    /** What a tenant does to a namespace of its own takes the Events from nobody else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "events \"a\" is forbidden: unable to create new content in namespace team because it is being terminated",
                "events \"a\" is forbidden: exceeded quota: q, requested: count/events=1",
                "admission webhook \"w\" denied the request: events is forbidden: User \"s\" cannot create"
            })
    void goesOnWhereOneNamespaceTakesNoEvent(String refusal) throws Exception {
        objects.held.put(POD, pod("3g.40gb->2g.20gb", ""));
        objects.refusal = refusal;

        announcer.work(seen(changed()));

        assertThat(announcer.isPaused()).isFalse();
        assertThat(page()).contains("gpu_webhook_events_total{result=\"failed\"} 1.0");
    }

    /** The uid of a reference is the word of whoever wrote the pod, as its name is. */
    @Test
    void believesNoReferenceThatWasTrueElsewhere() throws Exception {
        String owner = owner("ReplicaSet", "train", "u-set");
        objects.held.put(POD, pod("3g.40gb->2g.20gb", owner));
        objects.held.put(SET, object("train", "u-set", owner("Deployment", "train", "u-deployment")));
        objects.held.put(
                POD.replace("team", "other"), pod("3g.40gb->2g.20gb", owner).replace("u-pod", "u-copy"));

        announcer.work(List.of(new Task.PodSighted(new Sighting("other", "train-b5x7q", List.of(changed())))));
        announcer.work(seen(changed()));
        announcer.work(List.of(new Task.PodSighted(new Sighting("other", "train-b5x7q", List.of(changed())))));

        assertThat(objects.created)
                .extracting(event -> event.at("/regarding/namespace").asText() + " "
                        + event.at("/regarding/uid").asText())
                .containsExactly("other u-copy", "team u-pod", "team u-deployment");
    }

    private String page() {
        return new String(ScrapeFormat.accepted(null).of(metrics.families().numbers()), StandardCharsets.UTF_8);
    }

    private static List<Task> seen(DecisionRecord decision) {
        return List.of(new Task.PodSighted(new Sighting("team", "train-b5x7q", List.of(decision))));
    }

    private DecisionRecord changed() {
        return changed("");
    }

    private DecisionRecord changed(String stamp) {
        return SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                .at(now.toEpochMilli())
                .pod("team", "train-*")
                .moves(MOVE)
                .stamp(stamp)
                .words(new VerdictTexts(List.of("container main: no node offers it"), ""))
                .record();
    }

    private static DecisionRecord denied(String kind, String name) {
        return SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                .pod("team", "train-*")
                .owner(kind, name)
                .words(new VerdictTexts(List.of(), "nobody offers it"))
                .record();
    }

    private static String pod(String fallback, String owner) {
        return """
                {"metadata": {"name": "train-b5x7q", "uid": "u-pod", "creationTimestamp": "2026-11-23T11:59:59Z",
                 "annotations": {"gpu-webhook.k8s.io/fallback": "%s"}, "ownerReferences": [%s]}}""".formatted(fallback, owner);
    }

    private static String object(String name, String uid, String owner) {
        return """
                {"metadata": {"name": "%s", "uid": "%s", "ownerReferences": [%s]}}""".formatted(name, uid, owner);
    }

    private static String owner(String kind, String name, String uid) {
        return """
                {"apiVersion": "apps/v1", "kind": "%s", "name": "%s", "uid": "%s", "controller": true}""".formatted(kind, name, uid);
    }
}
