package dev.sluice.webhook;

import dev.sluice.bus.ForwardQuestion;
import dev.sluice.bus.ForwardReply;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.kube.decode.ReviewResponseCheck;
import dev.sluice.record.observe.ObservedForwardResult;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.replication.Member;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import dev.sluice.webhook.intake.RequestBodyContentType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.concurrent.TimeUnit;

/**
 * Forwards reviews to the replica that decides, and returns its answers. If that replica no longer decides or does not
 * answer, the review is tried again until its deadline. By then, another replica or this process may decide. All
 * attempts have the same uid, so that no replica decides twice about the review.
 */
public final class GatewayForwardRetries implements GatewayAdmissions.ReviewForwarding {

    /**
     * The pause before the second retry, in milliseconds. The first retry follows at once, because this replica may
     * already know which replica decides now. Each further pause is twice as long, up to {@link #LONGEST_PAUSE_MILLIS}.
     * A takeover of the Lease takes about a second. Longer pauses would delay pods, and shorter pauses would load a
     * replica that cannot decide yet.
     */
    private static final long SHORTEST_PAUSE_MILLIS = 20;

    private static final long LONGEST_PAUSE_MILLIS = 200;

    /**
     * The size in bytes of the largest answer that is returned to the API server. An answer of this gateway has a few
     * KB.
     */
    static final int MOST_ANSWER_BYTES = 1024 * 1024;

    /** The size in bytes of the largest refusal that is returned to the API server. A refusal is one sentence. */
    static final int MOST_REFUSAL_BYTES = 4 * 1024;

    /** The HTTP status with which a replica answers a forwarded review if it does not decide. */
    static final int MISDIRECTED = 421;

    private final Vertx vertx;
    private final ReviewObserver observer;

    public GatewayForwardRetries(Vertx vertx, ReviewObserver observer) {
        this.vertx = vertx;
        this.observer = observer;
    }

    @Override
    public Future<GatewayReviewAnswer> answer(GatewayForwardableReview review, Member holder) {
        return attempt(review, holder, 0);
    }

    private Future<GatewayReviewAnswer> attempt(GatewayForwardableReview review, Member holder, long pause) {
        long begun = System.nanoTime();
        return Service.FORWARD
                .ask(vertx, new ForwardQuestion(holder, review.bytes(), review.deadline()), review.deadline())
                .recover(GatewayForwardRetries::withoutReply)
                .compose(reply -> {
                    ObservedForwardResult result = result(reply, review.uid());
                    observer.forwarded(result, System.nanoTime() - begun);
                    return switch (result) {
                        case ANSWERED -> Future.succeededFuture(passedOn((ForwardReply.HolderAnswered) reply));
                        case NOT_THE_HOLDER -> {
                            Topic.HOLDER_REFUSED.publish(vertx, new Topic.HolderRefused(holder));
                            yield again(review, "the lease changes hands", pause);
                        }
                        case UNREACHABLE -> again(review, unreachable(holder, reply), pause);
                        case UNUSABLE ->
                            notNow("the answer of the replica that decides cannot be used: " + holder.identity());
                    };
                });
    }

    private static String unreachable(Member holder, ForwardReply reply) {
        String why = reply instanceof ForwardReply.Unreachable problem ? problem.why() : "there is no answer";
        return "the replica that decides did not answer (" + holder.identity() + "): " + why;
    }

    /**
     * Returns {@link ForwardReply.Unreachable} if the peer verticle has not replied in time. The peer verticle sends
     * reviews to other replicas. If this replica has no peer verticle, it cannot reach other replicas, and the future
     * fails.
     */
    private static Future<ForwardReply> withoutReply(Throwable problem) {
        return problem instanceof ReplyException failed && failed.failureType() == ReplyFailure.NO_HANDLERS
                ? Future.failedFuture(
                        new GatewayUnavailableException("another replica decides, and this one has no peers"))
                : Future.succeededFuture(new ForwardReply.Unreachable("there is no answer in time"));
    }

    private static ObservedForwardResult result(ForwardReply reply, String uid) {
        return switch (reply) {
            case ForwardReply.NotTheHolder _ -> ObservedForwardResult.NOT_THE_HOLDER;
            case ForwardReply.Unreachable _ -> ObservedForwardResult.UNREACHABLE;
            case ForwardReply.HolderAnswered answer
            when answer.status() == MISDIRECTED -> ObservedForwardResult.NOT_THE_HOLDER;
            case ForwardReply.HolderAnswered answer ->
                isUsable(answer, uid) ? ObservedForwardResult.ANSWERED : ObservedForwardResult.UNUSABLE;
        };
    }

    private static boolean isUsable(ForwardReply.HolderAnswered answer, String uid) {
        Buffer body = answer.body();
        return answer.status() == 200
                ? body.length() <= MOST_ANSWER_BYTES
                        && RequestBodyContentType.is(answer.contentType())
                        && ReviewResponseCheck.isAnswer(body.getBytes(), uid)
                : answer.status() >= 400 && answer.status() < 600 && body.length() <= MOST_REFUSAL_BYTES;
    }

    /**
     * Returns the answer of the replica that decides, without a change. This replica creates no record, because the
     * other replica records the decision.
     */
    private static GatewayReviewAnswer passedOn(ForwardReply.HolderAnswered answer) {
        return answer.status() == 200
                ? GatewayReviewAnswer.undecided(new IntakeHttpAnswer(200, answer.contentType(), answer.body()))
                : GatewayReviewAnswer.refused(
                        answer.status(), answer.body().toString().strip());
    }

    /** Retries the review after a pause. The retry first determines again which replica decides. */
    private Future<GatewayReviewAnswer> again(GatewayForwardableReview review, String why, long pause) {
        boolean tooLate = review.deadline().isOver() || review.deadline().leftMillis() <= pause;
        if (tooLate || review.isAbandoned().getAsBoolean()) {
            return notNow(why);
        }
        long next = Math.clamp(2 * pause, SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        Future<?> paused = pause == 0 ? Future.succeededFuture() : vertx.timer(pause, TimeUnit.MILLISECONDS);
        return paused.compose(_ -> review.decision().get()).recover(problem -> switch (problem) {
            case GatewayMustForwardException elsewhere -> attempt(review, elsewhere.holder(), next);
            case GatewayUnavailableException later -> again(review, later.why(), next);
            default -> Future.failedFuture(problem);
        });
    }

    private static Future<GatewayReviewAnswer> notNow(String why) {
        return Future.failedFuture(new GatewayUnavailableException(why));
    }
}
