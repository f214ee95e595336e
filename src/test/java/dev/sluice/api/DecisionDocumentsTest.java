package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCauseContainers;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Shortfall;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.api.DecisionDocuments.OtherPages;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.RecordedContainer;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionDocumentsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ResourceName BIG = new ResourceName("nvidia.com/mig-3g.40gb");
    private static final ResourceName SMALL = new ResourceName("nvidia.com/mig-2g.20gb");
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private final DecisionDocuments api = new DecisionDocuments(() -> NOW);

    private void keep(SampleRecords... decisions) {
        for (SampleRecords decision : decisions) {
            var _ = api.keep(new ReviewRecordBatch(List.of(decision.record())));
        }
    }

    private JsonNode list(Map<String, String> parameters) throws IOException {
        DocumentResponse answer = api.list(parameters, OtherPages.NONE).get();
        assertThat(answer.status()).as(answer.json()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo("application/json");
        return JSON.readTree(answer.json());
    }

    private static SampleRecords changed() {
        Quantity one = Quantity.of(1);
        return SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                .at(NOW.toEpochMilli())
                .containers(
                        new RecordedContainer("train", PodContainerKind.MAIN, Map.of(BIG, one, SMALL, Quantity.of(2))))
                .moves(new PodRequestReplacement(BIG, SMALL))
                .candidates(
                        new CandidateVerdict(BIG, BIG, VerdictTrace.CandidateOutcome.NOT_OFFERED),
                        new CandidateVerdict(BIG, SMALL, VerdictTrace.CandidateOutcome.CHOSEN))
                .causes(new DecisionCause.Substituted(
                        new DecisionCauseContainers(List.of("train"), 1, PodContainerKind.MAIN),
                        new Shortfall.TooFewOnEachNode(BIG, 4, 2, /* elsewhere= */ true),
                        new DecisionCause.Offer(SMALL, 8, 1)))
                .words(new VerdictTexts(List.of("a warning"), ""));
    }

    @Test
    void aDecisionIsShownWithItsNumbers() throws IOException {
        keep(changed().owner("Job", "nightly"));

        JsonNode shown = list(Map.of());
        String id = shown.path("decisions").get(0).path("id").asText();
        assertThat(id).endsWith("-1");
        assertThat(shown).isEqualTo(JSON.readTree("""
                {"total": 1, "leftOut": 0, "missing": [], "decisions": [{
                  "id": "%s", "time": "2026-01-31T12:00:00Z", "uid": "u", "namespace": "team", "name": "train",
                  "owner": {"kind": "Job", "name": "nightly"}, "dryRun": false, "decision": "changed", "reason": "NotOffered", "enforcement": "enforce",
                  "changes": [{"from": "nvidia.com/mig-3g.40gb", "to": "nvidia.com/mig-2g.20gb"}],
                  "containers": [{"name": "train", "kind": "main",
                    "asked": {"nvidia.com/mig-2g.20gb": "2", "nvidia.com/mig-3g.40gb": "1"},
                    "given": {"nvidia.com/mig-2g.20gb": "3"}}],
                  "moreContainers": 0,
                  "candidates": [
                    {"asked": "nvidia.com/mig-3g.40gb", "resource": "nvidia.com/mig-3g.40gb", "fate": "notOffered"},
                    {"asked": "nvidia.com/mig-3g.40gb", "resource": "nvidia.com/mig-2g.20gb", "fate": "chosen"}],
                  "causes": [{"cause": "Substituted", "containers": ["train"], "moreContainers": 0,
                    "asked": {"why": "TooFewOnEachNode", "resource": "nvidia.com/mig-3g.40gb",
                      "need": 4, "largest": 2, "enoughElsewhere": true},
                    "given": {"resource": "nvidia.com/mig-2g.20gb", "total": 8, "nodes": 1}}],
                  "warnings": ["a warning"], "moreWarnings": 0,
                  "mode": "allocatable", "policyGeneration": 7, "snapshotGeneration": 3, "micros": 1}]}
                """.formatted(id)));
    }

    @Test
    void theNewestComesFirstAndTheParametersChoose() throws IOException {
        keep(
                changed().uid("1"),
                changed().uid("2").pod("other", "train").observed(),
                SampleRecords.unchanged().uid("3").at(0));

        assertThat(uids(Map.of())).containsExactly("3", "2", "1");
        assertThat(uids(Map.of("limit", "1"))).containsExactly("3");
        assertThat(uids(Map.of("namespace", "team"))).containsExactly("3", "1");
        assertThat(uids(Map.of("verdict", "changed", "reason", "NotOffered"))).containsExactly("2", "1");
        assertThat(uids(Map.of("enforcement", "observe"))).containsExactly("2");
        assertThat(uids(Map.of("enforcement", "enforce"))).containsExactly("3", "1");
        assertThat(uids(Map.of("since", "2h"))).containsExactly("2", "1");
        assertThat(uids(Map.of("since", "2026-01-31T12:00:00.001Z"))).isEmpty();
    }

    private List<String> uids(Map<String, String> parameters) throws IOException {
        return uids(list(parameters));
    }

    private static List<String> uids(JsonNode page) {
        return page.path("decisions")
                .valueStream()
                .map(decision -> decision.path("uid").asText())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit     | 0         | limit is \"0\", expected 1..1000",
                "limit     | 1001      | limit is \"1001\", expected 1..1000",
                "limit     | ten       | limit is \"ten\", expected 1..1000",
                "verdict   | Changed   | expected one of unchanged, changed, kept, untouched, denied",
                "reason    | offered   | expected one of Offered, NotOffered",
                "enforcement | Observe | enforcement is \"Observe\", expected one of enforce, observe",
                "since     | yesterday | expected a time such as 2026-01-31T12:00:00Z or an age such as 90s, 15m, 2h or 7d",
                "since     | 9999999999999999999h | since is",
                "since     | -15m | expected a time",
                "namespce  | a         | \"namespce\" is not a parameter of this path, which takes namespace, name"
            })
    void aParameterThatCannotBeUsedIsNamed(String name, String value, String sentence) throws IOException {
        DocumentResponse answer = api.list(Map.of(name, value), OtherPages.NONE).get();

        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        JsonNode problem = JSON.readTree(answer.json());
        assertThat(problem.path("status").asInt()).isEqualTo(400).isEqualTo(answer.status());
        assertThat(problem.path("detail").asText()).contains(sentence);
    }

    private DocumentResponse one(String uid) {
        return api.one(uid, OtherPages.NONE).get();
    }

    @Test
    void oneDecisionIsFoundByItsUid() throws IOException {
        keep(changed().uid("1"), changed().uid("2"));

        assertThat(JSON.readTree(one("1").json()).path("uid").asText()).isEqualTo("1");
        assertThat(one("3").status()).isEqualTo(404);
        assertThat(one("3").contentType()).isEqualTo("application/problem+json");
    }

    @Test
    void whatOthersWroteSteersNoTerminalAndIsWhole() throws IOException {
        String evil = "\u202E\u001B[2J\u009B31m\uD800 größe \"}";
        keep(SampleRecords.unchanged().pod(evil, evil));

        String text = api.list(Map.of(), OtherPages.NONE).get().json();
        assertThat(text)
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Cs}\u2028\u2029]")
                .contains("\\u202e\\u001B[2J\\u009b31m\\ud800 größe");
        assertThat(JSON.readTree(text).path("decisions").get(0).path("name").asText())
                .startsWith("\u202E\u001B[2J")
                .endsWith(" größe \"}");
    }

    /** A tenant can write such names into pods that the API server refuses later. */
    @Test
    void longNamesMakeNoAnswerThatTheHeapCannotHold() throws IOException {
        Quantity one = Quantity.of(1);
        for (int i = 0; i < 1_000; i++) {
            ResourceName name = new ResourceName("nvidia.com/mig-" + i + "\u00e9".repeat(290));
            CandidateVerdict[] candidates = new CandidateVerdict[16];
            Arrays.fill(candidates, new CandidateVerdict(name, name, VerdictTrace.CandidateOutcome.NOT_OFFERED));
            keep(SampleRecords.of(RecordedDecisionKind.KEPT, Reason.KEPT_AS_WRITTEN)
                    .containers(new RecordedContainer("train", PodContainerKind.MAIN, Map.of(name, one)))
                    .candidates(candidates));
        }

        DocumentResponse answer =
                api.list(Map.of("limit", "1000"), OtherPages.NONE).get();

        assertThat(answer.json().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(3_900_000, 4 * 1_024 * 1_024);
        JsonNode decisions = JSON.readTree(answer.json());
        assertThat(decisions.path("total").asInt()).isEqualTo(1_000);
        assertThat(decisions.path("leftOut").asInt())
                .isEqualTo(1_000 - decisions.path("decisions").size());
        assertThat(decisions.at("/decisions/0/id").asText()).endsWith("-1000");
    }

    /** The page of another replica. Its decisions have these uids, and are so many seconds older than now. */
    private static String page(String process, Map<String, Integer> ages) {
        DecisionDocuments other = new DecisionDocuments(() -> NOW);
        ages.forEach((uid, seconds) -> {
            var _ = other.keep(new ReviewRecordBatch(List.of(changed()
                    .uid(uid)
                    .at(NOW.minusSeconds(seconds).toEpochMilli())
                    .record())));
        });
        return other.list(Map.of(), OtherPages.NONE).get().json().replace(other.epoch() + "-", process + "-");
    }

    private JsonNode merged(Map<String, String> parameters, List<String> missing, String... pages) throws IOException {
        OtherPages others = new OtherPages(
                Stream.of(pages)
                        .map(page -> page.getBytes(StandardCharsets.UTF_8))
                        .toList(),
                missing);
        DocumentResponse answer = api.list(parameters, others).get();
        assertThat(answer.status()).isEqualTo(200);
        return JSON.readTree(answer.json());
    }

    private void keepOwn(String uid, int age) {
        keep(changed().uid(uid).at(NOW.minusSeconds(age).toEpochMilli()));
    }

    @Test
    void theDecisionsOfAllReplicasAreShownTheNewestFirst() throws IOException {
        keepOwn("own-old", 50);
        keepOwn("own-new", 20);
        SequencedMap<String, Integer> ages = new LinkedHashMap<>();
        ages.put("b-old", 40);
        ages.put("b-new", 10);

        JsonNode all = merged(Map.of(), List.of("pod-d_4"), page("b", ages), page("c", Map.of("c", 30)));

        assertThat(uids(all)).containsExactly("b-new", "own-new", "c", "b-old", "own-old");
        assertThat(all.path("total").asInt()).isEqualTo(5);
        assertThat(all.path("leftOut").asInt()).isZero();
        assertThat(all.path("missing").valueStream().map(JsonNode::asText)).containsExactly("pod-d_4");
        assertThat(uids(merged(Map.of("limit", "2"), List.of(), page("b", ages))))
                .containsExactly("b-new", "own-new");
    }

    @Test
    void aDecisionThatTwoPagesHaveIsShownOnce() throws IOException {
        String page = page("b", Map.of("b", 10));

        assertThat(uids(merged(Map.of(), List.of(), page, page))).containsExactly("b");
    }

    @Test
    void whatALaterReleaseAddsIsShown() throws IOException {
        String page = page("b", Map.of("b", 10))
                .replace("{\"total\"", "{\"later\":[{\"a\":1}],\"total\"")
                .replace("\"uid\":\"b\"", "\"uid\":\"b\",\"later\":{\"a\":[1,2.5]}");

        assertThat(merged(Map.of(), List.of(), page).at("/decisions/0/later").toString())
                .isEqualTo("{\"a\":[1,2.5]}");
    }

    @Test
    void theNewestDecisionAboutAUidIsFoundAtAnyReplica() throws IOException {
        keepOwn("u", 50);
        OtherPages others = new OtherPages(
                List.of(page("b", Map.of("u", 10)).getBytes(StandardCharsets.UTF_8)), List.of("pod-c_3"));

        assertThat(JSON.readTree(api.one("u", others).get().json()).path("id").asText())
                .isEqualTo("b-1");
        OtherPages silent = new OtherPages(List.of(), List.of("pod-c_3"));
        assertThat(api.one("v", silent).get().status()).isEqualTo(404);
        assertThat(api.one("v", silent).get().json()).contains("these replicas did not answer: pod-c_3");
    }

    static Stream<String> unusablePages() {
        String good = page("b", Map.of("b", 10));
        String decision = good.substring(good.indexOf('[') + 1, good.lastIndexOf("],\"leftOut"));
        return Stream.of(
                "",
                "null",
                "[]",
                "{\"decisions\":{}}",
                "{\"decisions\":[1]}",
                "{\"decisions\":[{}]}",
                "{\"total\":\"many\"}",
                "{\"total\":1e99}",
                good + good,
                good.substring(0, good.length() - 1),
                good.replace("2026-01-31T11:59:50Z", "yesterday"),
                good.replace("\"uid\":\"b\"", "\"uid\":" + "[".repeat(2_000) + "]".repeat(2_000)),
                good.replace(
                        "\"uid\":\"b\"", "\"uid\":\"" + "b".repeat(DecisionDocumentReader.MOST_DECISION_BYTES) + "\""),
                "{\"decisions\":[" + (decision + ",").repeat(1_000) + decision + "]}",
                good + " ".repeat(DecisionPage.MOST_BYTES));
    }

    @ParameterizedTest
    @MethodSource("unusablePages")
    void aPageThatCannotBeUsedIsReportedAsMissing(String page) throws IOException {
        keepOwn("own", 20);

        JsonNode merged = merged(Map.of(), List.of(), page);

        assertThat(uids(merged)).containsExactly("own");
        assertThat(merged.path("missing").valueStream().map(JsonNode::asText))
                .containsExactly("a replica whose answer cannot be read");
    }

    @Test
    void textOfAnotherReplicaIsEscapedAgain() throws IOException {
        String page = page("b", Map.of("b", 10)).replace("\"uid\":\"b\"", "\"uid\":\"\u202E\u009B\u2028\"");
        OtherPages others = new OtherPages(List.of(page.getBytes(StandardCharsets.UTF_8)), List.of());

        assertThat(api.list(Map.of(), others).get().json())
                .contains("\"uid\":\"\\u202e\\u009b\\u2028\"")
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\u2028\u2029]");
    }

    @Test
    void aMergedAnswerHasItsLimitOfSize() throws IOException {
        String note = "\"later\":\"" + "\u00e9".repeat(50_000) + "\",\"uid\"";
        Map<String, Integer> ages = IntStream.range(0, 30).boxed().collect(Collectors.toMap(i -> "u" + i, i -> i));
        String one = page("b", ages).replace("\"uid\"", note);
        String other = page("c", ages).replace("\"uid\"", note);

        JsonNode merged = merged(Map.of(), List.of(), one, other);

        assertThat(merged.path("decisions").size()).isBetween(35, 41);
        assertThat(merged.path("leftOut").asInt())
                .isEqualTo(60 - merged.path("decisions").size());
    }

    @Test
    void twoProcessesThatStartAtTheSameMomentHaveDifferentIds() {
        assertThat(new DecisionDocuments(() -> NOW).epoch()).isNotEqualTo(api.epoch());
    }

    private DocumentResponse flow(Map<String, String> parameters, OtherPages others) {
        return FlowDocuments.refusal(parameters, NOW)
                .orElseGet(() -> api.flow(parameters, others).get());
    }

    @Test
    void exchangesAndOutcomesAreCountedAndEachLeadsToItsNewestDecision() throws IOException {
        keep(
                changed().uid("u1"),
                changed().uid("u2").at(NOW.toEpochMilli() - 1),
                changed().uid("dry").dryRun(true),
                changed().uid("old").at(NOW.minusSeconds(3_601).toEpochMilli()),
                SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                        .uid("u3")
                        .pod("other", "pod")
                        .at(NOW.toEpochMilli()));

        assertThat(flow(Map.of(), OtherPages.NONE).json()).isEqualTo("""
                {"since":"2026-01-31T11:00:00Z","truncated":false,"missing":[],"decisions":3,\
                "exchanges":[{"from":"nvidia.com/mig-3g.40gb","to":"nvidia.com/mig-2g.20gb","count":2,"lastUid":"u1"}],\
                "outcomes":[\
                {"decision":"changed","reason":"NotOffered","enforcement":"enforce","count":2,"lastUid":"u1"},\
                {"decision":"denied","reason":"NotOffered","enforcement":"enforce","count":1,"lastUid":"u3"}]}""");
        assertThat(flow(Map.of("namespace", "other"), OtherPages.NONE).json())
                .contains("\"decisions\":1,\"exchanges\":[]");
    }

    @Test
    void theDecisionsOfOtherReplicasAreCountedToo() throws IOException {
        DecisionDocuments other = new DecisionDocuments(() -> NOW);
        var _ = other.keep(new ReviewRecordBatch(List.of(changed().uid("theirs").record())));
        byte[] page = other.list(FlowDocuments.counted(Map.of()), OtherPages.NONE)
                .get()
                .json()
                .getBytes(StandardCharsets.UTF_8);
        keep(changed().uid("ours").at(NOW.toEpochMilli() - 5));

        JsonNode flow = JSON.readTree(
                flow(Map.of(), new OtherPages(List.of(page), List.of("silent"))).json());

        assertThat(flow.at("/exchanges/0/count").asInt()).isEqualTo(2);
        assertThat(flow.at("/exchanges/0/lastUid").asText()).isEqualTo("theirs");
        assertThat(flow.at("/missing/0").asText()).isEqualTo("silent");
    }

    @Test
    void theFlowBeginsWithTheOldestDecisionThatIsKept() throws IOException {
        for (int i = 0; i <= RecentDecisionRecords.MOST; i++) {
            keep(changed().at(NOW.minusSeconds(1_800).toEpochMilli() + i));
        }

        JsonNode flow = JSON.readTree(flow(Map.of(), OtherPages.NONE).json());
        assertThat(flow.path("truncated").asBoolean()).isTrue();
        assertThat(flow.path("since").asText()).isEqualTo("2026-01-31T11:30:00.001Z");
        assertThat(flow.path("decisions").asInt()).isEqualTo(RecentDecisionRecords.MOST);
    }

    @Test
    void aWrongQuestionAboutTheFlowIsRefused() {
        assertThat(flow(Map.of("since", "yesterday"), OtherPages.NONE).status()).isEqualTo(400);
        assertThat(flow(Map.of("verdict", "changed"), OtherPages.NONE).status()).isEqualTo(400);
    }

    @Test
    void decisionsAreFoundByWhatTheyExchanged() throws IOException {
        keep(changed().uid("u1"), SampleRecords.unchanged().uid("u2"));

        assertThat(list(Map.of("from", BIG.value(), "to", SMALL.value())).path("decisions"))
                .hasSize(1);
        assertThat(list(Map.of("to", SMALL.value())).path("decisions")).hasSize(1);
        assertThat(list(Map.of("from", SMALL.value())).path("decisions")).isEmpty();
    }
}
