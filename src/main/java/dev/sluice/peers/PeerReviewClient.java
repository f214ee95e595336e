package dev.sluice.peers;

import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.ForwardQuestion;
import dev.sluice.bus.ForwardReply;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.peers.PeerHttpClient.PeerExchange;
import dev.sluice.peers.PeerHttpClient.PeerQuestion;
import dev.sluice.replication.Member;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Forwards reviews to the replica that decides, and returns its answers. */
final class PeerReviewClient {

    static final String PATH = "/v1/review";

    /** The path of a request that has no effect. This replica sends it to open a connection before the first review. */
    static final String GREETING = "/v1/greeting";

    /** The name of the parameter that says for how many milliseconds the sender waits. */
    static final String PATIENCE = "patience=";

    /**
     * The time limit for an answer, unless the review itself has an earlier deadline. The caller on the event bus waits
     * a little longer, so it learns why there is no answer.
     */
    private static final Duration ATTEMPT = Service.PATIENCE.minusMillis(100);

    /** The maximum size of an answer in bytes. An answer contains a patch for one pod, which is far smaller. */
    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private static final int LONGEST_REASON = 300;

    /**
     * The time limit for opening the first connection to a replica that decides. The TLS handshake is slow in a process
     * that has just started.
     */
    private static final Duration GREETING_LIMIT = Duration.ofSeconds(2);

    private final PeerHttpClient client;

    /** The reviews that were forwarded and are not answered yet, with the replica that has to answer. */
    private final Map<PeerExchange, Member> waiting = new HashMap<>();

    private Optional<Member> holder = Optional.empty();

    PeerReviewClient(PeerHttpClient client) {
        this.client = client;
    }

    /**
     * Gives up the reviews that wait for a replica that no longer decides. They are then forwarded to the replica that
     * decides now. If another replica has begun to decide, opens a connection to it.
     */
    void status(ReplicationStatusMessage newest) {
        Optional<Member> before = holder;
        holder = newest.holder();
        giveUpAllBut(holder);
        if (!holder.equals(before) && !newest.isLeading()) {
            holder.flatMap(member -> PeerMemberAddress.of(member.address())).ifPresent(address -> {
                PeerQuestion greeting =
                        new PeerQuestion(address, HttpMethod.GET, GREETING, Buffer.buffer(), LONGEST_REASON);
                var _ = client.ask(greeting, BusRequestDeadline.in(GREETING_LIMIT));
            });
        }
    }

    private void giveUpAllBut(Optional<Member> decides) {
        List<PeerExchange> others = waiting.entrySet().stream()
                .filter(each -> !decides.equals(Optional.of(each.getValue())))
                .map(Map.Entry::getKey)
                .toList();
        others.forEach(each -> each.fail("it does not decide any more"));
    }

    /**
     * Forwards a review to the replica that decides. The future always succeeds. If there is no answer, the reply is
     * {@link ForwardReply.Unreachable}. The request is not repeated, because a second request would make a slow replica
     * slower. If the replica fails, another one replaces it within a second, and {@link #status} gives up the request.
     */
    Future<ForwardReply> forward(ForwardQuestion question) {
        Optional<PeerMemberAddress> address =
                PeerMemberAddress.of(question.holder().address());
        if (address.isEmpty()) {
            return Future.succeededFuture(new ForwardReply.Unreachable("the replica that decides has no address"));
        }
        BusRequestDeadline limit = question.deadline().within(ATTEMPT);
        PeerQuestion asked = new PeerQuestion(
                address.get(),
                HttpMethod.POST,
                PATH + "?" + PATIENCE + limit.leftMillis(),
                question.review(),
                MOST_BYTES);
        PeerExchange exchange = client.begin(asked, limit);
        waiting.put(exchange, question.holder());
        return exchange.answer()
                .onComplete(_ -> waiting.remove(exchange))
                .map(PeerReviewClient::reply)
                .otherwise(failure -> new ForwardReply.Unreachable(String.valueOf(failure.getMessage())));
    }

    private static ForwardReply reply(IntakeHttpAnswer answer) {
        int status = answer.status();
        if (status == HttpResponseStatus.MISDIRECTED_REQUEST.code()) {
            return new ForwardReply.NotTheHolder();
        }
        // These statuses do not depend on the review, so another attempt or another replica may succeed.
        if (status == HttpResponseStatus.SERVICE_UNAVAILABLE.code()
                || status == HttpResponseStatus.REQUEST_TIMEOUT.code()) {
            return new ForwardReply.Unreachable(reason(answer));
        }
        return new ForwardReply.HolderAnswered(status, answer.contentType(), answer.body());
    }

    /** Returns the reason of a refusal. It is a sentence that the other replica has written as plain text. */
    private static String reason(IntakeHttpAnswer answer) {
        int length = Math.min(answer.body().length(), LONGEST_REASON);
        return answer.body().getString(0, length, StandardCharsets.UTF_8.name()).strip();
    }
}
