package dev.sluice.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DocumentsReply;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.DocumentsReply.StatusQuestion;
import dev.sluice.bus.ForwardQuestion;
import dev.sluice.bus.ForwardReply;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.Service;
import dev.sluice.replication.Member;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reviews that the holder answers for another replica, and decisions that replicas ask each other for. */
@Timeout(60)
class ForwardedReviewQuestionTest {

    private static final Buffer REVIEW = Buffer.buffer("{\"kind\":\"AdmissionReview\"}");
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CertificateAuthority authority = Certificates.authority();
    private final List<PeerNode> nodes = new ArrayList<>();
    private PeerNode here;
    private PeerNode holder;

    private PeerNode start() throws Exception {
        PeerNode node = PeerNode.start(PeerNode.tls(PeerNode.replica(authority), authority));
        nodes.add(node);
        return node;
    }

    @BeforeEach
    void startBoth() throws Exception {
        here = start();
        holder = start();
        connect(holder);
    }

    /** Opens a connection. The first handshake of a process may take longer than a connection may. */
    private void connect(PeerNode to) throws Exception {
        Object withoutGateways = new ForwardReply.Unreachable("this replica is stopping, or has no answer in time");
        int attempts = 0;
        while (!here.forward(to.self, REVIEW, PATIENCE).equals(withoutGateways)) {
            assertThat(attempts++).isLessThan(20);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (PeerNode node : nodes) {
            node.close();
        }
    }

    private static Future<PeerReviewReply> reply(int status, String body) {
        return Future.succeededFuture(new PeerReviewReply(status, "application/json", Buffer.buffer(body)));
    }

    @CanIgnoreReturnValue
    private ForwardReply forward(Buffer review, Duration patience) throws Exception {
        return here.forward(holder.self, review, patience);
    }

    @Test
    void theAnswerComesBackAsItIs() throws Exception {
        holder.answers(review -> reply(200, "for " + review.review()));

        int open = holder.openConnections();
        for (int i = 0; i < 3; i++) {
            assertThat(forward(REVIEW, PATIENCE))
                    .isEqualTo(new ForwardReply.HolderAnswered(
                            200, "application/json", Buffer.buffer("for {\"kind\":\"AdmissionReview\"}")));
        }
        assertThat(holder.openConnections()).as("the connection is kept").isLessThanOrEqualTo(open);
    }

    @Test
    void aConnectionToANewHolderIsOpenBeforeTheFirstReview() throws Exception {
        PeerNode next = start();

        here.follows(next.self);

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PeerNode.PATIENCE_SECONDS);
        while (next.openConnections() == 0) {
            assertThat(System.nanoTime() - end).isNegative();
            Thread.onSpinWait();
        }
    }

    /** As a gateway passes on a large review. */
    @Test
    void aReviewInPiecesArrivesWholeEachTime() throws Exception {
        byte[] piece = "0123456789abcdef".repeat(1_024).getBytes(StandardCharsets.UTF_8);
        ByteBuf pieces = Unpooled.wrappedBuffer(3, piece, piece, piece).slice(0, 40_000);
        Buffer review = BufferInternal.buffer(Unpooled.unreleasableBuffer(pieces));
        holder.answers(asked -> reply(200, asked.review().toString()));

        for (int i = 0; i < 3; i++) {
            assertThat(forward(review, PATIENCE))
                    .isEqualTo(
                            new ForwardReply.HolderAnswered(200, "application/json", Buffer.buffer(review.toString())));
        }
    }

    @Test
    void aRefusalOfTheReviewItselfComesBack() throws Exception {
        holder.answers(_ -> reply(400, "it is not a review"));

        assertThat(forward(REVIEW, PATIENCE))
                .isEqualTo(
                        new ForwardReply.HolderAnswered(400, "application/json", Buffer.buffer("it is not a review")));
    }

    @Test
    void theHolderIsToldHowLongItsAnswerIsAwaited() throws Exception {
        AtomicLong left = new AtomicLong();
        holder.answers(review -> {
            left.set(review.deadline().leftMillis());
            return reply(200, "");
        });

        forward(REVIEW, Duration.ofMillis(250));

        assertThat(left.get()).isBetween(1L, 250L);
        forward(REVIEW, Duration.ofSeconds(9));
        assertThat(left.get()).isBetween(1_000L, 1_900L);
    }

    @Test
    void aReplicaThatHasLostTheLeaseSaysSo() throws Exception {
        holder.answers(_ -> reply(421, ""));

        assertThat(forward(REVIEW, PATIENCE)).isEqualTo(new ForwardReply.NotTheHolder());
    }

    /** 408 says that the review did not arrive in time, which is no fault of its sender. */
    @ParameterizedTest
    @ValueSource(ints = {503, 408})
    void aReplicaThatCannotDecideNowIsAskedAgain(int status) throws Exception {
        holder.answers(_ -> reply(status, "the pods of the former holder are not seen yet\n"));

        assertThat(forward(REVIEW, PATIENCE))
                .isEqualTo(new ForwardReply.Unreachable("the pods of the former holder are not seen yet"));
    }

    @Test
    void aReplicaWithoutGatewaysIsStopping() throws Exception {
        assertThat(forward(REVIEW, PATIENCE))
                .isEqualTo(new ForwardReply.Unreachable("this replica is stopping, or has no answer in time"));
    }

    @Test
    void aSlowHolderIsAskedOnce() throws Exception {
        AtomicLong asked = new AtomicLong();
        holder.answers(_ -> {
            asked.incrementAndGet();
            return holder.vertx.timer(900, TimeUnit.MILLISECONDS).compose(_ -> reply(200, "late"));
        });

        here.follows(holder.self);
        assertThat(forward(REVIEW, PATIENCE))
                .isEqualTo(new ForwardReply.HolderAnswered(200, "application/json", Buffer.buffer("late")));
        assertThat(asked).hasValue(1);
    }

    @Test
    void aHolderThatStandsStillIsGivenUpWhenAnotherReplicaDecides() throws Exception {
        PeerNode next = start();
        here.follows(holder.self);
        holder.answers(_ -> {
            here.follows(next.self);
            return Promise.<PeerReviewReply>promise().future();
        });

        assertThat(forward(REVIEW, Duration.ofSeconds(PeerNode.PATIENCE_SECONDS)))
                .isEqualTo(new ForwardReply.Unreachable("it does not decide any more"));
    }

    @Test
    void aHolderThatStandsStillIsGivenUpWhenNobodyWaitsAnyMore() throws Exception {
        here.follows(holder.self);
        holder.answers(_ -> Promise.<PeerReviewReply>promise().future());

        assertThat(forward(REVIEW, Duration.ofMillis(500))).isInstanceOf(ForwardReply.Unreachable.class);
    }

    @Test
    void aHolderThatDiesIsNoticedAtOnce() throws Exception {
        Promise<Boolean> asked = Promise.promise();
        holder.answers(_ -> {
            asked.complete(true);
            return Promise.<PeerReviewReply>promise().future();
        });
        long begun = System.nanoTime();
        asked.future().onSuccess(_ -> {
            var _ = holder.vertx.close();
        });

        assertThat(forward(REVIEW, PATIENCE)).isInstanceOf(ForwardReply.Unreachable.class);
        assertThat(forward(REVIEW, PATIENCE)).isInstanceOf(ForwardReply.Unreachable.class);

        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void aHolderThatComesBackAnswersAgain() throws Exception {
        holder.answers(_ -> reply(200, "first"));
        forward(REVIEW, PATIENCE);
        holder.close();
        assertThat(forward(REVIEW, PATIENCE)).isInstanceOf(ForwardReply.Unreachable.class);

        PeerNode again =
                PeerNode.startAs(holder.self, holder.port, PeerNode.tls(PeerNode.replica(authority), authority));
        nodes.add(again);
        connect(again);
        again.answers(_ -> reply(200, "again"));

        assertThat(forward(REVIEW, PATIENCE))
                .isEqualTo(new ForwardReply.HolderAnswered(200, "application/json", Buffer.buffer("again")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nowhere", "127.0.0.1:0", "127.0.0.1:99999", "127.0.0.1:1", "127.0.0.1:http"})
    void anAddressWhereNobodyAnswersIsUnreachable(String address) throws Exception {
        assertThat(here.forward(new Member("pod_away", address), REVIEW, PATIENCE))
                .isInstanceOf(ForwardReply.Unreachable.class);
    }

    @Test
    void aStrangerAtTheAddressGetsNoReview() throws Exception {
        PeerNode stranger = PeerNode.start(PeerNode.tls(PeerNode.replica(Certificates.authority()), authority));
        nodes.add(stranger);
        AtomicLong asked = new AtomicLong();
        stranger.answers(_ -> {
            asked.incrementAndGet();
            return reply(200, "");
        });

        assertThat(here.forward(stranger.self, REVIEW, PATIENCE)).isInstanceOf(ForwardReply.Unreachable.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void aReviewThatIsTooLargeIsRefusedByTheHolder() throws Exception {
        holder.answers(_ -> reply(200, ""));

        assertThat(forward(Buffer.buffer(new byte[PeerNode.MOST_BODY_BYTES]), PATIENCE))
                .isEqualTo(new ForwardReply.HolderAnswered(200, "application/json", Buffer.buffer()));
        assertThat(forward(Buffer.buffer(new byte[PeerNode.MOST_BODY_BYTES + 1]), PATIENCE))
                .isNotEqualTo(new ForwardReply.HolderAnswered(200, "application/json", Buffer.buffer()));
        assertThat(forward(REVIEW, PATIENCE)).isInstanceOf(ForwardReply.HolderAnswered.class);
    }

    @Test
    void anAnswerThatIsTooLargeIsNotTaken() throws Exception {
        holder.answers(_ -> Future.succeededFuture(
                new PeerReviewReply(200, "application/json", Buffer.buffer(new byte[5 * 1024 * 1024]))));

        assertThat(forward(REVIEW, PATIENCE)).isInstanceOf(ForwardReply.Unreachable.class);
    }

    @Test
    void manyReviewsAtOnceAreAnswered() throws Exception {
        holder.answers(review -> reply(200, review.review().toString()));
        List<Future<ForwardReply>> replies = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            replies.add(Service.FORWARD.ask(
                    here.vertx,
                    new ForwardQuestion(holder.self, Buffer.buffer("r" + i), BusRequestDeadline.in(PATIENCE))));
        }
        // There is a time limit, which the first handshakes on a busy machine may exceed.
        long answered = 0;
        for (int i = 0; i < replies.size(); i++) {
            if (PeerNode.await(replies.get(i).otherwiseEmpty()) instanceof ForwardReply.HolderAnswered answer) {
                assertThat(answer.body()).hasToString("r" + i);
                answered++;
            }
        }
        assertThat(answered).isPositive();
        assertThat(holder.openConnections()).isLessThanOrEqualTo(64);
    }

    @Test
    void reviewsGoOnWhileCertificatesChange() throws Exception {
        holder.answers(_ -> reply(200, ""));
        CertificateAuthority next = Certificates.authority();
        for (PeerNode node : List.of(here, holder)) {
            node.renew(PeerNode.tls(PeerNode.replica(authority), authority, next));
            isAnswered();
        }
        for (PeerNode node : List.of(here, holder)) {
            node.renew(PeerNode.tls(PeerNode.replica(next), authority, next));
            isAnswered();
        }
        for (PeerNode node : List.of(here, holder)) {
            node.renew(PeerNode.tls(PeerNode.replica(next), next));
            isAnswered();
        }
        // No connection is open to a replica that starts now, and it trusts the next authority alone.
        PeerNode late = PeerNode.start(PeerNode.tls(PeerNode.replica(next), next));
        nodes.add(late);
        connect(late);
    }

    /** On a busy machine, the first handshake with a new certificate may take longer than one attempt. */
    private void isAnswered() throws Exception {
        int attempts = 0;
        while (!(forward(REVIEW, PATIENCE) instanceof ForwardReply.HolderAnswered)) {
            assertThat(attempts++).isLessThan(5);
        }
    }

    @Test
    void decisionsOfAllOtherReplicasAreRead() throws Exception {
        PeerNode third = start();
        Member away = new Member("pod_away", "127.0.0.1:1");
        here.knows(List.of(here.self, holder.self, third.self, away));
        for (PeerNode node : List.of(holder, third)) {
            Service.OWN_DECISIONS.serve(node.vertx, question -> Buffer.buffer(node.self.identity() + question.query()));
        }

        DocumentsReply decisions =
                PeerNode.await(Service.PEER_DECISIONS.ask(here.vertx, new DecisionsQuestion("limit=5")));

        assertThat(decisions.documents())
                .extracting(Buffer::toString)
                .containsExactlyInAnyOrder(holder.self.identity() + "limit=5", third.self.identity() + "limit=5");
        assertThat(decisions.missing()).containsExactly("pod_away");
    }

    @Test
    void theStatusOfAllOtherReplicasIsRead() throws Exception {
        here.knows(List.of(here.self, holder.self, new Member("pod_away", "127.0.0.1:1")));
        Service.OWN_STATUS.serve(holder.vertx, _ -> Buffer.buffer("{\"replica\":\"there\"}"));

        DocumentsReply told = PeerNode.await(Service.PEER_STATUS.ask(here.vertx, new StatusQuestion()));

        assertThat(told.documents()).extracting(Buffer::toString).containsExactly("{\"replica\":\"there\"}");
        assertThat(told.missing()).containsExactly("pod_away");
    }

    @Test
    void aReplicaThatIsAloneHasNoOtherDecisions() throws Exception {
        assertThat(PeerNode.await(Service.PEER_DECISIONS.ask(here.vertx, new DecisionsQuestion(""))))
                .isEqualTo(new DocumentsReply(List.of(), List.of()));
    }

    @Test
    void theVerticleEndsWhileReviewsAreUnderWay() throws Exception {
        holder.answers(_ -> Promise.<PeerReviewReply>promise().future());
        Future<ForwardReply> waiting = Service.FORWARD.ask(
                here.vertx, new ForwardQuestion(holder.self, REVIEW, BusRequestDeadline.in(PATIENCE)));

        holder.undeploy();

        assertThat(PeerNode.await(waiting)).isInstanceOf(ForwardReply.Unreachable.class);
    }
}
