package dev.sluice.record.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.kube.client.ApiStatus;
import dev.sluice.log.LogLines;
import dev.sluice.record.DecisionTally;
import dev.sluice.record.DecisionTally.BucketCount;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.SampleRecords;
import dev.sluice.record.TalliedChain;
import dev.sluice.record.TalliedOutcome;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Two replicas that share one ConfigMap. */
class SummaryStoreTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FakeConfigMap map = new FakeConfigMap();
    private final SummaryStore one = new SummaryStore(map, "gpu-webhook", "one_1");
    private final SummaryStore other = new SummaryStore(map, "gpu-webhook", "other_2");

    /** As the API server keeps it. */
    private static final class FakeConfigMap implements ApiServerObjectAccess {
        private int version = 1;
        private String text = "";
        private final List<Runnable> beforeWrite = new ArrayList<>();
        private boolean losesAnswers;

        @Override
        public JsonNode object(String path) {
            assertThat(path).isEqualTo("api/v1/namespaces/gpu-webhook/configmaps/gpu-webhook-summary");
            var object = JSON.createObjectNode();
            object.putObject("metadata").put("resourceVersion", Integer.toString(version));
            if (!text.isEmpty()) {
                object.putObject("data").put(SummaryStore.KEY, text);
            }
            return object;
        }

        @Override
        public void merge(String path, JsonNode patch) throws IOException {
            List.copyOf(beforeWrite).forEach(Runnable::run);
            if (patch.at("/metadata/resourceVersion").asInt() != version) {
                throw new ApiFailure(new ApiStatus(409, "Conflict", "it was changed"));
            }
            version++;
            text = patch.path("data").path(SummaryStore.KEY).asText();
            if (losesAnswers) {
                throw new IOException("no answer");
            }
        }

        @Override
        public JsonNode metadata(String path) {
            throw new AssertionError();
        }

        @Override
        public void create(String path, JsonNode object) {
            throw new AssertionError();
        }
    }

    private static SummaryBatch batch(long number, int decisions) {
        DecisionTally tally = new DecisionTally();
        for (int i = 0; i < decisions; i++) {
            tally.add(SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                    .observed()
                    .at(NOON.toEpochMilli())
                    .record());
        }
        return new SummaryBatch(number, tally.all());
    }

    private long stored() throws IOException {
        return one.with(List.of()).summary(NOON, NOON).rows().stream()
                .mapToLong(row -> row.of(TalliedOutcome.DENIED))
                .sum();
    }

    @Test
    void theCountsOfAllReplicasAreAddedUp() throws Exception {
        one.add(List.of(batch(1, 3)), NOON);
        other.add(List.of(batch(1, 4)), NOON);
        one.add(List.of(batch(2, 5)), NOON);

        assertThat(stored()).isEqualTo(12);
        assertThat(map.version).isEqualTo(4);
    }

    @Test
    void whatIsNotStoredYetIsShown() throws Exception {
        one.add(List.of(batch(1, 3)), NOON);

        assertThat(one.with(List.of(batch(1, 3), batch(2, 1)))
                        .summary(NOON, NOON)
                        .rows()
                        .getFirst()
                        .of(TalliedOutcome.DENIED))
                .isEqualTo(4);
    }

    @Test
    void aWriteThatMeetsAnotherOneIsRepeated() throws Exception {
        map.beforeWrite.add(() -> {
            map.beforeWrite.clear();
            addOfOther(batch(1, 4));
        });
        one.add(List.of(batch(1, 3)), NOON);

        assertThat(stored()).isEqualTo(7);
    }

    @Test
    void aWriteIsNotRepeatedForeverWhileOthersWrite() throws Exception {
        map.beforeWrite.add(() -> map.version++);
        assertThatThrownBy(() -> one.add(List.of(batch(1, 3)), NOON)).hasMessageContaining("409");
        assertThat(stored()).isZero();

        map.beforeWrite.clear();
        one.add(List.of(batch(1, 3)), NOON);
        assertThat(stored()).isEqualTo(3);
    }

    private void addOfOther(SummaryBatch batch) {
        try {
            other.add(List.of(batch), NOON);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void aBatchWhoseAnswerWasLostIsCountedOnce() throws Exception {
        map.losesAnswers = true;
        assertThatThrownBy(() -> one.add(List.of(batch(1, 3)), NOON)).hasMessage("no answer");
        assertThatThrownBy(() -> one.add(List.of(batch(1, 3), batch(2, 2)), NOON))
                .hasMessage("no answer");
        map.losesAnswers = false;
        one.add(List.of(batch(1, 3), batch(2, 2), batch(3, 1)), NOON);

        assertThat(stored()).isEqualTo(6);
    }

    @Test
    void theSameProblemIsLoggedAgainAfterCountsThatCouldBeRead() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger(SummaryStore.class);
        LogLines lines = new LogLines();
        log.addAppender(lines);
        try {
            map.text = "x";
            assertThat(stored()).isZero();
            assertThat(stored()).isZero();
            assertThat(lines.list).hasSize(1);
            one.add(List.of(batch(1, 3)), NOON);
            assertThat(stored()).isEqualTo(3);
            map.text = "x";
            assertThat(stored()).isZero();
            assertThat(lines.list).hasSize(2);
        } finally {
            log.detachAppender(lines);
        }
    }

    @Test
    void whatCannotBeReadBeginsAnew() throws Exception {
        for (String broken : List.of(
                "x",
                "[]",
                "{\"rows\":[[\"a\"]]}",
                "{\"counts\":{\"0\":[[0,1,1,1,1,1]]}}",
                "{\"rows\":[[\"a\",\"b\",\"observe\"]],\"counts\":{\"0\":[[0,-1,0,0,0,0]]}}",
                "{\"rows\":[[\"a\",\"b\",\"observe\"]],\"counts\":{\"noon\":[]}}")) {
            map.text = broken;
            one.add(List.of(batch(NOON.toEpochMilli() + map.version, 1)), NOON);
            assertThat(stored()).as(broken).isEqualTo(1);
        }
    }

    @Test
    void whatAnotherVersionWroteIsNotReplaced() {
        for (String newer : List.of(
                "{\"version\":2}",
                "{\"rows\":[[\"a\",\"b\",\"audit\"]],\"counts\":{\"0\":[[0,1,1,1,1,1]]}}",
                "{\"rows\":[[\"a\",\"b\",\"observe\"]],\"counts\":{\"0\":[[0,1,1,1,1,1,1]]}}")) {
            map.text = newer;

            assertThatThrownBy(() -> one.add(List.of(batch(1, 1)), NOON)).hasMessageContaining("another version");
            assertThat(map.text).isEqualTo(newer);
        }
    }

    @Test
    void theMembersOfTheDocumentMayHaveAnyOrder() throws Exception {
        map.text = "{\"counts\":{\"" + NOON.getEpochSecond() + "\":[[1,0,4]]},\"rows\":[[\"a\",\"b\",\"enforce\"],"
                + "[\"a\",\"b\",\"observe\"]],\"version\":1}";
        one.add(List.of(batch(1, 1)), NOON);

        assertThat(stored()).isEqualTo(5);
    }

    @Test
    void outcomesThatAnOlderVersionDoesNotCountAreZero() throws Exception {
        map.text = "{\"rows\":[[\"a\",\"b\",\"observe\"]],\"counts\":{\"" + NOON.getEpochSecond() + "\":[[0,3,4]]}}";

        assertThat(stored()).isEqualTo(4);
    }

    @Test
    void onlyAMissingRightIsSaidToBeGrantedByAManifest() {
        assertThat(SummaryVerticle.problem(new ApiFailure(new ApiStatus(403, "Forbidden", "no"))))
                .contains("k8s/base/summary.yaml");
        assertThat(SummaryVerticle.problem(new ApiFailure(new ApiStatus(409, "Conflict", "it was changed"))))
                .doesNotContain("k8s/base/summary.yaml");
    }

    /**
     * Every row and hour that a gateway keeps, under the longest names: less than a third of what a ConfigMap may have.
     */
    @Test
    void theLargestDocumentFitsAConfigMap() throws Exception {
        DecisionTally tally = new DecisionTally();
        for (int row = 0; row < 300; row++) {
            for (int hour = 0; hour < 24 * 8; hour++) {
                tally.add(new BucketCount(
                        NOON.minus(hour, ChronoUnit.HOURS),
                        new TalliedChain("n".repeat(60) + row, "c".repeat(310), Enforcement.OBSERVE),
                        Map.of(TalliedOutcome.CHANGED, 12_345L, TalliedOutcome.DENIED, 12_345L)));
            }
        }
        tally.passTime(NOON);
        String text = SummaryCodec.write(tally, Map.of("pod_1", 1L));

        assertThat(text.length()).isLessThan(512 * 1024);
        StoredCounts read = SummaryCodec.read(text, "7");
        assertThat(read.counts().all()).containsExactlyElementsOf(tally.all());
        assertThat(read.newestOf("pod_1")).isEqualTo(1);
    }

    @Test
    void onlyTheNewestWritersAreRemembered() {
        StoredCounts counts = new StoredCounts("1", new DecisionTally(), Map.of());
        for (int i = 1; i <= 100; i++) {
            counts = new StoredCounts("1", new DecisionTally(), counts.writersWith("pod-" + i, i));
        }

        assertThat(counts.writers()).hasSize(StoredCounts.MOST_WRITERS);
        assertThat(counts.newestOf("pod-100")).isEqualTo(100);
        assertThat(counts.newestOf("pod-1")).isZero();
    }
}
