package dev.sluice.peers;

import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DocumentsReply;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.DocumentsReply.StatusQuestion;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.peers.PeerHttpClient.PeerQuestion;
import dev.sluice.replication.Member;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests a document of the API from all other replicas at the same time. */
final class PeerDocumentsReader {

    static final String DECISIONS = "/v1/decisions";

    static final String STATUS = "/v1/status";

    private static final Duration LIMIT = Duration.ofSeconds(1);

    /**
     * The maximum size of one replica's answer in bytes. A page of the API has at most 1,000 decisions, so each of them
     * may take 4 KiB.
     */
    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private final PeerHttpClient client;
    private @Nullable ReplicationStatusMessage status;

    PeerDocumentsReader(PeerHttpClient client) {
        this.client = client;
    }

    void status(ReplicationStatusMessage newest) {
        status = newest;
    }

    /** Returns the recent decisions of all other replicas. The future always succeeds. */
    Future<DocumentsReply> read(DecisionsQuestion question) {
        return ask(question.query().isEmpty() ? DECISIONS : DECISIONS + "?" + question.query());
    }

    /** Returns the status documents of all other replicas. The future always succeeds. */
    Future<DocumentsReply> readStatus(StatusQuestion question) {
        return ask(STATUS);
    }

    private Future<DocumentsReply> ask(String uri) {
        List<Member> others = status == null ? List.of() : List.copyOf(status.others());
        BusRequestDeadline deadline = BusRequestDeadline.in(LIMIT);
        List<Future<Buffer>> answers =
                others.stream().map(member -> document(member, uri, deadline)).toList();
        return Future.join(answers).transform(_ -> Future.succeededFuture(collected(others, answers)));
    }

    private Future<Buffer> document(Member member, String uri, BusRequestDeadline deadline) {
        return PeerMemberAddress.of(member.address())
                .map(to -> client.ask(new PeerQuestion(to, HttpMethod.GET, uri, Buffer.buffer(), MOST_BYTES), deadline)
                        .compose(PeerDocumentsReader::body))
                .orElseGet(() -> Future.failedFuture("the replica has no address"));
    }

    private static Future<Buffer> body(IntakeHttpAnswer answer) {
        return answer.status() == HttpResponseStatus.OK.code()
                ? Future.succeededFuture(answer.body())
                : Future.failedFuture("the replica answered " + answer.status());
    }

    private static DocumentsReply collected(List<Member> others, List<Future<Buffer>> answers) {
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
        return new DocumentsReply(documents, missing);
    }
}
