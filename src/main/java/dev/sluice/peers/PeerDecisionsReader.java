package dev.sluice.peers;

import dev.sluice.bus.PeerDecisions;
import dev.sluice.bus.PeerDecisions.DecisionsQuestion;
import dev.sluice.bus.ReplicationStatus;
import dev.sluice.bus.RequestDeadline;
import dev.sluice.peers.PeerHttpClient.PeerQuestion;
import dev.sluice.replication.Member;
import dev.sluice.webhook.intake.HttpAnswer;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks all other replicas for their recent decisions at the same time. */
final class PeerDecisionsReader {

    static final String PATH = "/v1/decisions";

    private static final Duration LIMIT = Duration.ofSeconds(1);

    /** The maximum size of one replica's answer. A page of the API has at most 1,000 decisions. */
    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private final PeerHttpClient client;
    private @Nullable ReplicationStatus status;

    PeerDecisionsReader(PeerHttpClient client) {
        this.client = client;
    }

    void status(ReplicationStatus newest) {
        status = newest;
    }

    /** Returns a future that always succeeds. */
    Future<PeerDecisions> read(DecisionsQuestion question) {
        List<Member> others = status == null ? List.of() : List.copyOf(status.others());
        RequestDeadline deadline = RequestDeadline.in(LIMIT);
        List<Future<Buffer>> answers = others.stream()
                .map(member -> ask(member, question.query(), deadline))
                .toList();
        return Future.join(answers).transform(_ -> Future.succeededFuture(collected(others, answers)));
    }

    private Future<Buffer> ask(Member member, String query, RequestDeadline deadline) {
        String uri = query.isEmpty() ? PATH : PATH + "?" + query;
        return MemberAddress.of(member.address())
                .map(to -> client.ask(new PeerQuestion(to, HttpMethod.GET, uri, Buffer.buffer(), MOST_BYTES), deadline)
                        .compose(PeerDecisionsReader::document))
                .orElseGet(() -> Future.failedFuture("the replica has no address"));
    }

    private static Future<Buffer> document(HttpAnswer answer) {
        return answer.status() == HttpResponseStatus.OK.code()
                ? Future.succeededFuture(answer.body())
                : Future.failedFuture("the replica answered " + answer.status());
    }

    private static PeerDecisions collected(List<Member> others, List<Future<Buffer>> answers) {
        List<Buffer> documents = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            Future<Buffer> answer = answers.get(i);
            if (answer.succeeded()) {
                documents.add(answer.result());
            } else {
                missing.add(others.get(i).identity());
            }
        }
        return new PeerDecisions(documents, missing);
    }
}
