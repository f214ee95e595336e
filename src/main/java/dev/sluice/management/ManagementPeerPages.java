package dev.sluice.management;

import dev.sluice.api.DecisionDocuments.OtherPages;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DocumentsReply;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.DocumentsReply.StatusQuestion;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.replication.Member;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Requests the decisions and the status of the other replicas. If there are no other replicas, it sends no request.
 * Only one event loop may use it.
 */
final class ManagementPeerPages {

    /** The longest time that an answer waits for replicas that do not respond. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Vertx vertx;
    /** The other replicas that this one knows. */
    private List<String> others = List.of();

    ManagementPeerPages(Vertx vertx) {
        this.vertx = vertx;
    }

    void update(ReplicationStatusMessage newest) {
        others = newest.others().stream()
                .filter(member -> !member.address().isEmpty())
                .map(Member::identity)
                .toList();
    }

    /** Returns the decisions of the other replicas. The future never fails. */
    Future<OtherPages> ask(Map<String, String> parameters) {
        if (others.isEmpty()) {
            return Future.succeededFuture(OtherPages.NONE);
        }
        List<String> asked = others;
        return Service.PEER_DECISIONS
                .ask(vertx, new DecisionsQuestion(query(parameters)), BusRequestDeadline.in(PATIENCE))
                .map(answer -> new OtherPages(
                        answer.documents().stream().map(Buffer::getBytes).toList(), answer.missing()))
                .otherwise(new OtherPages(List.of(), asked));
    }

    /** Returns the status documents of the other replicas. The future never fails. */
    Future<DocumentsReply> askStatus() {
        List<String> asked = others;
        return asked.isEmpty()
                ? Future.succeededFuture(new DocumentsReply(List.of(), List.of()))
                : Service.PEER_STATUS
                        .ask(vertx, new StatusQuestion(), BusRequestDeadline.in(PATIENCE))
                        .otherwise(new DocumentsReply(List.of(), asked));
    }

    private static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter ->
                        parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
