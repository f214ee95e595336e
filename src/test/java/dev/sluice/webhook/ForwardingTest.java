package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.ForwardQuestion;
import dev.sluice.bus.ForwardReply;
import dev.sluice.bus.ForwardedReviewQuestion;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.kube.decode.ReviewEncoder;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.observe.ObservedForwardResult;
import dev.sluice.replication.Member;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Availability mode: what a gateway does with reviews that another replica decides, and with those of others. */
@Timeout(60)
class ForwardingTest {

    private static final Member HOLDER = new Member("pod-b_2", "10.0.0.2:8444");
    private static final Member NEXT = new Member("pod-c_3", "10.0.0.3:8444");
    private static final Verdict VERDICT = Verdict.Allowed.untouched(Reason.OFFERED, List.of());
    private static final ActivePolicy AVAILABILITY = ActivePolicy.first(
            new Policies(PolicySwitches.with(Policy.DEFAULT, Policy.Mode.AVAILABILITY), Map.of()), Injector.NONE);

    private static final ActivePolicy OBSERVING = ActivePolicy.first(
            new Policies(
                    PolicySwitches.with(Policy.DEFAULT, Policy.Mode.AVAILABILITY, Policy.Enforcement.OBSERVE),
                    Map.of(new NamespaceGlob("strict"), PolicySwitches.with(Policy.DEFAULT, Policy.Mode.AVAILABILITY))),
            Injector.NONE);

    /** Each turn is a question to the event loop, which takes about a millisecond. */
    private static final int MOST_TURNS = 5_000;

    private final List<DecideRequest> decided = new CopyOnWriteArrayList<>();
    private final List<ForwardQuestion> forwarded = new CopyOnWriteArrayList<>();
    private final BlockingQueue<ReviewRecord> records = new LinkedBlockingQueue<>();

    /** The replies of the owner of the ledger, in their order. The last one is repeated. */
    private List<DecideReply> decisions = List.of(new DecideReply.Elsewhere(HOLDER));

    private Function<ForwardQuestion, Future<ForwardReply>> wire = _ -> answered(answer(Requests.UID));

    private TestGateway gateway() throws Exception {
        TestGateway gateway = TestGateway.start(TlsEngine.OPENSSL, vertx -> {
            Topic.DECISIONS.subscribe(vertx, batch -> records.addAll(batch.records()));
            Service.DECIDE.serve(vertx, this::decide);
            Service.FORWARD.serveLater(vertx, question -> {
                forwarded.add(question);
                return wire.apply(question);
            });
            return TestGateway.decisions(vertx);
        });
        gateway.follow(AVAILABILITY);
        return gateway;
    }

    private DecideReply decide(DecideRequest request) {
        decided.add(request);
        return decisions.get(Math.min(decided.size(), decisions.size()) - 1);
    }

    private static String answer(String uid) {
        return new String(ReviewEncoder.allowedUndecided(uid), StandardCharsets.UTF_8);
    }

    private static Future<ForwardReply> answered(String json) {
        return answered(200, "application/json", json);
    }

    private static Future<ForwardReply> answered(int status, String contentType, String body) {
        return Future.succeededFuture(new ForwardReply.HolderAnswered(status, contentType, Buffer.buffer(body)));
    }

    private static byte[] post(String timeout, String review) {
        return Requests.postTo(
                "/mutate?timeout=" + timeout, "application/json", review.getBytes(StandardCharsets.UTF_8));
    }

    private List<Member> holdersAsked() {
        return forwarded.stream().map(ForwardQuestion::holder).toList();
    }

    @Test
    void theAnswerOfTheHolderIsPassedOnAsItIsAndRecordedOnlyThere() throws Exception {
        String answer = answer(Requests.UID).replace("\"allowed\"", "\"unknown\": [1],  \"allowed\"");
        wire = _ -> answered(answer);
        try (TestGateway gateway = gateway()) {
            Reply reply = gateway.review(Requests.REVIEW);

            assertThat(reply.body()).isEqualTo(answer);
            assertThat(reply.header("content-type")).isEqualTo("application/json");
            assertThat(forwarded).singleElement().satisfies(question -> {
                assertThat(question.holder()).isEqualTo(HOLDER);
                assertThat(question.review()).hasToString(Requests.REVIEW);
            });
            assertThat(gateway.told.refusals).isEmpty();
            decisions = List.of(new DecideReply.Answered(VERDICT));
            assertThat(gateway.review(Requests.review("local", Requests.POD)).status())
                    .isEqualTo(200);
            assertThat(uidOf(records.poll(10, TimeUnit.SECONDS))).isEqualTo("local");
        }
    }

    private static String uidOf(ReviewRecord record) {
        return ((DecisionRecord) record).pod().head().uid();
    }

    @Test
    void aDryRunIsForwarded() throws Exception {
        String dryRun = Requests.REVIEW.replace("\"dryRun\":false", "\"dryRun\":true");
        try (TestGateway gateway = gateway()) {
            assertThat(gateway.review(dryRun).status()).isEqualTo(200);
        }
        assertThat(decided)
                .singleElement()
                .satisfies(request -> assertThat(request.effect()).isEqualTo(DecideRequest.ReviewEffect.DRY_RUN));
        assertThat(forwarded)
                .singleElement()
                .satisfies(question -> assertThat(question.review()).hasToString(dryRun));
    }

    /** Nothing is reserved for it, so nobody has to be asked. */
    @Test
    void anObservedReviewIsAnsweredHereByWhoeverDecides() throws Exception {
        decisions = List.of(new DecideReply.Answered(VERDICT));
        try (TestGateway gateway = gateway()) {
            gateway.follow(OBSERVING);
            assertThat(gateway.review(Requests.REVIEW).response(Requests.UID).path("auditAnnotations"))
                    .hasToString("{\"decision\":\"untouched\",\"enforcement\":\"observe\",\"reason\":\"Offered\"}");
        }
        assertThat(decided)
                .singleElement()
                .satisfies(request -> assertThat(request.effect()).isEqualTo(DecideRequest.ReviewEffect.OBSERVED));
        assertThat(forwarded).isEmpty();
    }

    @Test
    void anObservedReviewThatCannotBeDecidedIsAllowedAtOnceAndRecorded() throws Exception {
        decisions = List.of(new DecideReply.NotNow("the pods have not been listed yet"));
        try (TestGateway gateway = gateway()) {
            gateway.follow(OBSERVING);
            assertThat(gateway.review(Requests.REVIEW).response(Requests.UID))
                    .hasToString("{\"uid\":\"" + Requests.UID + "\",\"allowed\":true,\"auditAnnotations\":"
                            + "{\"decision\":\"untouched\",\"enforcement\":\"observe\",\"reason\":\"NotDecided\"}}");
            assertThat(gateway.told.refusals).isEmpty();
            assertThat(records.poll(10, TimeUnit.SECONDS)).isInstanceOfSatisfying(DecisionRecord.class, record -> {
                assertThat(record.reason()).isEqualTo(Reason.NOT_DECIDED);
                assertThat(record.isObserved()).isTrue();
                assertThat(record.messages().warnings())
                        .containsExactly("no decision was possible: the pods have not been listed yet");
            });
        }
    }

    /** The gate is closed before the namespace of a review is known. */
    @Test
    void aClosedGateRefusesOnlyReviewsThatAreEnforced() throws Exception {
        decisions = List.of(new DecideReply.NotNow("the pods have not been listed yet"));
        try (TestGateway gateway = gateway()) {
            Topic.DECISION_GATE.publish(gateway.vertx(), new DecisionGateMessage("the pods have not been listed yet"));
            gateway.follow(OBSERVING);
            assertThat(gateway.review(Requests.REVIEW).status()).isEqualTo(200);
            gateway.review(Requests.REVIEW.replace("\"namespace\":\"team-a\"", "\"namespace\":\"strict\""))
                    .isRefused(503, "the pods have not been listed yet");
        }
    }

    @Test
    void aPodWithoutAGpuIsAnsweredHere() throws Exception {
        try (TestGateway gateway = gateway()) {
            gateway.review(Requests.review("u", Requests.pod("{\"cpu\":\"1\"}")))
                    .isSilent("u");
        }
        assertThat(decided).isEmpty();
        assertThat(forwarded).isEmpty();
    }

    /** Shows availability-mode.md F1. */
    @Test
    void theSuccessorOfAHolderThatVanishedIsAsked() throws Exception {
        decisions = List.of(
                new DecideReply.Elsewhere(HOLDER),
                new DecideReply.Elsewhere(HOLDER),
                new DecideReply.NotNow("no holder is known"),
                new DecideReply.Elsewhere(NEXT));
        wire = question -> question.holder().equals(HOLDER)
                ? Future.succeededFuture(new ForwardReply.Unreachable("connection refused"))
                : answered(answer(Requests.UID));
        try (TestGateway gateway = gateway()) {
            assertThat(gateway.review(Requests.REVIEW).body()).isEqualTo(answer(Requests.UID));
            assertThat(gateway.told.forwards)
                    .containsExactly(
                            ObservedForwardResult.UNREACHABLE,
                            ObservedForwardResult.UNREACHABLE,
                            ObservedForwardResult.ANSWERED);
        }
        assertThat(holdersAsked()).containsExactly(HOLDER, HOLDER, NEXT);
    }

    @Test
    void aReplicaThatBecomesTheHolderDecidesByTheSameUid() throws Exception {
        decisions = List.of(new DecideReply.Elsewhere(HOLDER), new DecideReply.Answered(VERDICT));
        wire = _ -> Future.succeededFuture(new ForwardReply.NotTheHolder());
        try (TestGateway gateway = gateway()) {
            assertThat(gateway.review(Requests.REVIEW).response(Requests.UID).path("auditAnnotations"))
                    .isNotEmpty();
            assertThat(uidOf(records.poll(10, TimeUnit.SECONDS))).isEqualTo(Requests.UID);
        }
        assertThat(decided).extracting(DecideRequest::uid).containsExactly(Requests.UID, Requests.UID);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereReplicasPointAtEachOtherTheReviewIsRefusedAtItsDeadline(boolean byStatus) throws Exception {
        wire = _ -> byStatus
                ? answered(421, "text/plain", "another replica decides")
                : Future.succeededFuture(new ForwardReply.NotTheHolder());
        long begun = System.nanoTime();
        try (TestGateway gateway = gateway()) {
            Reply reply = gateway.ask(post("1s", Requests.REVIEW)).isRefused(503, "the lease changes hands");

            assertThat(reply.header("retry-after")).isEqualTo("1");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(500));
            assertThat(gateway.told.refusals).containsExactly(503);
            assertThat(gateway.told.forwards).containsOnly(ObservedForwardResult.NOT_THE_HOLDER);
        }
        assertThat(forwarded).hasSizeBetween(4, 12);
        assertThat(decided).hasSameSizeAs(forwarded);
    }

    @Test
    void aHolderThatNeverAnswersIsGivenUpAtTheDeadline() throws Exception {
        wire = _ -> Promise.<ForwardReply>promise().future();
        try (TestGateway gateway = gateway()) {
            gateway.ask(post("1s", Requests.REVIEW)).isRefused(503, "did not answer");
        }
    }

    @Test
    void aRefusalOfTheHolderIsPassedOn() throws Exception {
        wire = _ -> answered(400, "text/plain; charset=utf-8", "the document is not an AdmissionReview\n");
        try (TestGateway gateway = gateway()) {
            gateway.review(Requests.REVIEW).isRefused(400, "the document is not an AdmissionReview");
            assertThat(gateway.told.refusals).containsExactly(400);
        }
    }

    static List<ForwardReply.HolderAnswered> unusable() {
        String good = answer(Requests.UID);
        return List.of(
                reply(200, "application/json", answer("another")),
                reply(200, "text/html", good),
                reply(200, "application/json", good.substring(1)),
                reply(200, "application/json", good + "{}"),
                reply(200, "application/json", "{\"response\":{\"uid\":{\"uid\":\"" + Requests.UID + "\"}}}"),
                reply(200, "application/json", good + " ".repeat(GatewayForwardRetries.MOST_ANSWER_BYTES)),
                reply(302, "text/plain", "elsewhere"),
                reply(500, "text/plain", "x".repeat(GatewayForwardRetries.MOST_REFUSAL_BYTES + 1)));
    }

    private static ForwardReply.HolderAnswered reply(int status, String contentType, String body) {
        return new ForwardReply.HolderAnswered(status, contentType, Buffer.buffer(body));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void whatIsNoAnswerToThisReviewIsNotPassedOn(ForwardReply.HolderAnswered answer) throws Exception {
        wire = _ -> Future.succeededFuture(answer);
        try (TestGateway gateway = gateway()) {
            gateway.review(Requests.REVIEW).isRefused(503, "cannot be used: pod-b_2");
            assertThat(gateway.told.forwards).containsExactly(ObservedForwardResult.UNUSABLE);
        }
        assertThat(forwarded).hasSize(1);
    }

    @Test
    void withoutAWireTheReviewIsRefusedAtOnce() throws Exception {
        try (TestGateway gateway = TestGateway.start(TlsEngine.OPENSSL, vertx -> {
            Service.DECIDE.serve(vertx, this::decide);
            return TestGateway.decisions(vertx);
        })) {
            gateway.follow(AVAILABILITY);
            gateway.review(Requests.REVIEW).isRefused(503, "this one has no peers");
        }
        assertThat(decided).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {20_000, ReviewWorkers.AT_ONCE + 1, 100_000, 700_000})
    void aLargeReviewIsForwardedWholeEachTime(int size) throws Exception {
        String review = Requests.REVIEW + " ".repeat(size) + "\n";
        decisions = List.of(new DecideReply.Elsewhere(HOLDER), new DecideReply.Elsewhere(NEXT));
        List<String> sent = new CopyOnWriteArrayList<>();
        wire = question -> {
            // A write to a socket releases the bytes.
            sent.add(question.review().toString());
            return question.holder().equals(HOLDER)
                    ? Future.succeededFuture(new ForwardReply.Unreachable("the connection was closed"))
                    : answered(answer(Requests.UID));
        };
        try (TestGateway gateway = gateway()) {
            assertThat(gateway.ask(Requests.chunked(review.getBytes(StandardCharsets.UTF_8), 30_000))
                            .body())
                    .isEqualTo(answer(Requests.UID));
            awaitHeld(gateway, 0);
        }
        assertThat(sent).hasSize(2).allMatch(review::equals);
    }

    @Test
    void theMemoryOfABodyIsCountedUntilTheHolderHasAnswered() throws Exception {
        Promise<ForwardReply> coming = Promise.promise();
        wire = _ -> coming.future();
        try (TestGateway gateway = gateway();
                RawClient client = gateway.connect()) {
            var _ = client.send(post("10s", Requests.REVIEW));
            awaitForwarded(gateway, 1);
            assertThat(gateway.intake.budget().heldBytes()).isGreaterThanOrEqualTo(Requests.REVIEW.length());

            coming.complete(reply(200, "application/json", answer(Requests.UID)));
            assertThat(client.read().status()).isEqualTo(200);
            awaitHeld(gateway, 0);
        }
    }

    @Test
    void nobodyIsAskedAgainForAClientThatIsGone() throws Exception {
        Promise<ForwardReply> coming = Promise.promise();
        wire = _ -> coming.future();
        try (TestGateway gateway = gateway()) {
            try (RawClient client = gateway.connect()) {
                var _ = client.send(post("10s", Requests.REVIEW));
                awaitForwarded(gateway, 1);
            }
            // The gateway has noticed the end of the connection once there is only that of the question itself.
            for (int turn = 0; turn < MOST_TURNS && gateway.intake.connections().count() > 0; turn++) {
                gateway.roundTrip();
                Thread.onSpinWait();
            }
            gateway.roundTrip();
            coming.complete(new ForwardReply.NotTheHolder());
            awaitHeld(gateway, 0);
            gateway.roundTrip();
        }
        assertThat(forwarded).hasSize(1);
        assertThat(decided).hasSize(1);
    }

    private void awaitForwarded(TestGateway gateway, int number) throws IOException {
        for (int turn = 0; turn < MOST_TURNS && forwarded.size() < number; turn++) {
            gateway.roundTrip();
        }
        assertThat(forwarded).hasSize(number);
    }

    private static void awaitHeld(TestGateway gateway, long bytes) throws IOException {
        for (int turn = 0; turn < MOST_TURNS && gateway.intake.budget().heldBytes() != bytes; turn++) {
            gateway.roundTrip();
        }
        assertThat(gateway.intake.budget().heldBytes()).isEqualTo(bytes);
    }

    private static PeerReviewReply ofPeer(TestGateway gateway, String review) throws Exception {
        return TestGateway.await(Service.PEER_REVIEW.ask(
                gateway.vertx(),
                new ForwardedReviewQuestion(Buffer.buffer(review), BusRequestDeadline.in(Duration.ofSeconds(10)))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100_000, 700_000})
    void aReviewOfAnotherReplicaIsDecidedAndRecordedHere(int size) throws Exception {
        decisions = List.of(new DecideReply.Answered(VERDICT));
        try (TestGateway gateway = gateway()) {
            PeerReviewReply reply = ofPeer(gateway, Requests.REVIEW + " ".repeat(size));

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.contentType()).isEqualTo("application/json");
            assertThat(reply.body().toString()).contains("\"uid\":\"" + Requests.UID + "\"", "auditAnnotations");
            assertThat(uidOf(records.poll(10, TimeUnit.SECONDS))).isEqualTo(Requests.UID);
        }
    }

    @Test
    void aReviewOfAnotherReplicaIsNeverForwardedAgain() throws Exception {
        try (TestGateway gateway = gateway()) {
            assertThat(ofPeer(gateway, Requests.REVIEW).status()).isEqualTo(421);
            assertThat(gateway.told.refusals).isEmpty();
        }
        assertThat(forwarded).isEmpty();
    }

    @Test
    void whatCannotBeAnsweredIsRefusedToAnotherReplica() throws Exception {
        decisions = List.of(new DecideReply.NotNow("what is known of the nodes is too old"));
        try (TestGateway gateway = gateway()) {
            PeerReviewReply later = ofPeer(gateway, Requests.REVIEW);
            assertThat(later.status()).isEqualTo(503);
            assertThat(later.body()).hasToString("what is known of the nodes is too old\n");

            assertThat(ofPeer(gateway, "{}").status()).isEqualTo(400);
        }
    }

    @Test
    void beforeTheClusterIsKnownNothingIsDecidedForAnotherReplica() throws Exception {
        try (TestGateway gateway = TestGateway.unsynced()) {
            assertThat(ofPeer(gateway, Requests.REVIEW).status()).isEqualTo(503);
        }
    }
}
