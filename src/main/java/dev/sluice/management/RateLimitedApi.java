package dev.sluice.management;

import dev.sluice.api.DecisionDocuments;
import dev.sluice.api.DiagnosisDocuments;
import dev.sluice.api.DocumentResponse;
import dev.sluice.api.FlowDocuments;
import dev.sluice.api.ReplicasDocument;
import dev.sluice.api.SummaryDocuments;
import dev.sluice.bus.DocumentsReply;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.DocumentsReply.StatusQuestion;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers the requests for decisions, for diagnoses, for explanations and for the status at a limited rate. A client
 * that sends requests in a loop uses at most a quarter of a thread for each kind of request, and causes at most 20
 * messages a second to the gateways and to each other replica. All tenants together use at most a quarter of a thread.
 * Only one event loop may use it.
 */
final class RateLimitedApi {

    /**
     * The shortest pause, in milliseconds, between two answers about decisions. It is too short for a person to notice.
     */
    private static final long BETWEEN_DECISIONS_MILLIS = 50;

    /**
     * The shortest pause between two summaries of decisions, in milliseconds, because each summary reads a ConfigMap.
     * It is also the shortest pause between two requests for the status of all replicas.
     */
    private static final long BETWEEN_SUMMARIES_MILLIS = 500;

    private final ManagementSharedAnswers<DocumentResponse> ofDecisions =
            new ManagementSharedAnswers<>(BETWEEN_DECISIONS_MILLIS);
    /**
     * The queue for requests of other replicas. With a common queue, two replicas that ask each other at the same time
     * would wait for each other.
     */
    private final ManagementSharedAnswers<DocumentResponse> ofPeers =
            new ManagementSharedAnswers<>(BETWEEN_DECISIONS_MILLIS);

    private final ManagementSharedAnswers<DocumentResponse> ofSummaries =
            new ManagementSharedAnswers<>(BETWEEN_SUMMARIES_MILLIS);
    private final ManagementSharedAnswers<DocumentResponse> ofDiagnoses = new ManagementSharedAnswers<>(1);
    private final ManagementSharedAnswers<DocumentResponse> ofStatus =
            new ManagementSharedAnswers<>(BETWEEN_DECISIONS_MILLIS);
    private final ManagementSharedAnswers<DocumentResponse> ofReplicas =
            new ManagementSharedAnswers<>(BETWEEN_SUMMARIES_MILLIS);
    private final ManagementSharedAnswers<DocumentResponse> ofExplanations = new ManagementSharedAnswers<>(1);
    /**
     * The queue for requests of tenants. It is separate, so that tenants delay no other client. A tenant is a client
     * that may read about one namespace only.
     */
    private final ManagementSharedAnswers<DocumentResponse> ofTenants =
            new ManagementSharedAnswers<>(BETWEEN_DECISIONS_MILLIS, TenantRequestLimit.MOST_OF_ALL);

    static final String REPEATED = "the query has a parameter more than once";

    private final Vertx vertx;
    private final InstantSource timeOfDay;
    private final RecordFlushRequest records;
    private final DecisionDocuments decisions;
    private final DiagnosisDocuments diagnosis;
    private final ManagementPeerPages peers;
    private final ManagementStatusPage status;

    /**
     * Creates the API without any answer.
     *
     * @param timeOfDay the clock by which queries choose records, because records contain the time of day
     */
    RateLimitedApi(
            Vertx vertx,
            InstantSource timeOfDay,
            RecordFlushRequest records,
            DecisionDocuments decisions,
            DiagnosisDocuments diagnosis,
            ManagementPeerPages peers,
            ManagementStatusPage status) {
        this.status = status;
        this.vertx = vertx;
        this.timeOfDay = timeOfDay;
        this.peers = peers;
        this.records = records;
        this.decisions = decisions;
        this.diagnosis = diagnosis;
    }

    /**
     * Returns the list of decisions. The future never fails, because a failure becomes an answer with an error.
     *
     * @param isOfTenant true if the answer must contain nothing of other namespaces than the one in the query
     */
    Future<DocumentResponse> decisions(HttpServerRequest request, boolean isOfTenant) {
        return unlessRefused(
                request,
                decisions::refusal,
                parameters -> share(
                        isOfTenant ? ofTenants : ofDecisions,
                        new DecisionsOf(parameters),
                        () -> ofAllReplicas(parameters)
                                .map(others -> isOfTenant ? others.withoutNames() : others)
                                .compose(others -> encode(decisions.list(parameters, others)))));
    }

    /**
     * Returns how often decisions replaced one resource by another, and how many decisions had each outcome.
     *
     * @param isOfTenant true if the answer must contain nothing of other namespaces than the one in the query
     */
    Future<DocumentResponse> flow(HttpServerRequest request, boolean isOfTenant) {
        return unlessRefused(
                request,
                parameters -> FlowDocuments.refusal(parameters, timeOfDay.instant()),
                parameters -> share(
                        isOfTenant ? ofTenants : ofDecisions,
                        new FlowOf(parameters),
                        () -> ofAllReplicas(FlowDocuments.counted(parameters))
                                .map(others -> isOfTenant ? others.withoutNames() : others)
                                .compose(others -> encode(decisions.flow(parameters, others)))));
    }

    /**
     * The key of requests for the list of decisions: equal requests share an answer. Each kind of request has its own
     * type of key, so that requests of different kinds are never equal.
     */
    private record DecisionsOf(Map<String, String> parameters) {}

    private record FlowOf(Map<String, String> parameters) {}

    private record SummaryOf(Map<String, String> parameters) {}

    private record DiagnosisOf(Map<String, String> parameters) {}

    Future<DocumentResponse> decision(String uid) {
        return share(
                ofDecisions,
                uid,
                () -> ofAllReplicas(DecisionDocuments.newestOf(uid))
                        .compose(others -> encode(decisions.one(uid, others))));
    }

    /**
     * Returns the number of decisions for each chain of each namespace. A chain is the list of substitutes that the
     * policy has for one resource.
     *
     * @param isOfTenant true if the answer must contain nothing of other namespaces than the one in the query
     */
    Future<DocumentResponse> summary(HttpServerRequest request, boolean isOfTenant) {
        Instant now = timeOfDay.instant();
        return unlessRefused(
                request,
                parameters -> SummaryDocuments.refusal(parameters, now),
                parameters -> share(
                        isOfTenant ? ofTenants : ofSummaries,
                        new SummaryOf(parameters),
                        () -> records.flush(vertx)
                                .compose(_ -> Service.SUMMARY.ask(vertx, SummaryDocuments.question(parameters, now)))
                                .map(reply -> isOfTenant ? reply.withoutNames() : reply)
                                .compose(reply -> encode(() -> SummaryDocuments.answer(reply, parameters)))));
    }

    /** Collects the newest decisions of this replica, and returns the decisions of the other replicas. */
    private Future<DecisionDocuments.OtherPages> ofAllReplicas(Map<String, String> parameters) {
        Future<DecisionDocuments.OtherPages> others = peers.ask(parameters);
        return records.flush(vertx).compose(_ -> others);
    }

    /** Returns the decisions of this replica alone, for another replica. The future fails if the query is invalid. */
    Future<Buffer> ownDecisions(DecisionsQuestion question) {
        Map<String, String> parameters = new LinkedHashMap<>();
        new QueryStringDecoder(question.query(), /* hasPath= */ false)
                .parameters()
                .forEach((name, values) -> parameters.put(name, values.getFirst()));
        return ofPeers.ask(
                        vertx,
                        parameters,
                        () -> records.flush(vertx)
                                .compose(_ -> encode(decisions.list(parameters, DecisionDocuments.OtherPages.NONE))))
                .compose(answer -> answer.status() == 200
                        ? Future.succeededFuture(Buffer.buffer(answer.json()))
                        : Future.failedFuture("the query cannot be answered: " + answer.json()));
    }

    /**
     * Returns the diagnosis.
     *
     * @param tenant the namespace to which the answer is limited; empty for the diagnosis of the whole cluster
     */
    Future<DocumentResponse> diagnosis(HttpServerRequest request, Optional<String> tenant) {
        return unlessRefused(
                request,
                diagnosis::refusal,
                parameters -> share(
                        tenant.isPresent() ? ofTenants : ofDiagnoses,
                        new DiagnosisOf(parameters),
                        () -> encode(diagnosis.answer(parameters, tenant))));
    }

    /**
     * Returns the explanation that {@code maker} creates. The request may wait, because the rate of explanations is
     * limited.
     */
    Future<DocumentResponse> explanation(boolean isOfTenant, Supplier<Future<DocumentResponse>> maker) {
        return share(isOfTenant ? ofTenants : ofExplanations, new Object(), maker);
    }

    Future<DocumentResponse> status() {
        return share(ofStatus, "status", () -> status.now(vertx).compose(made -> encode(made::answer)));
    }

    /** Returns the status of this replica for another replica. */
    Future<Buffer> ownStatus(StatusQuestion question) {
        return status().map(answer -> Buffer.buffer(answer.json()));
    }

    /** Returns the status of all replicas that this one knows. */
    Future<DocumentResponse> replicas() {
        return share(ofReplicas, "replicas", () -> {
            Future<DocumentsReply> others = peers.askStatus();
            return status.now(vertx)
                    .compose(own -> others.compose(
                            told -> encode(ReplicasDocument.of(own, bytes(told.documents()), told.missing())::answer)));
        });
    }

    private static List<byte[]> bytes(List<Buffer> documents) {
        return documents.stream().map(Buffer::getBytes).toList();
    }

    private static Map<String, String> parameters(HttpServerRequest request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        request.params().forEach(parameters::put);
        return parameters;
    }

    private static Future<DocumentResponse> unlessRefused(
            HttpServerRequest request,
            Function<Map<String, String>, Optional<DocumentResponse>> refusal,
            Function<Map<String, String>, Future<DocumentResponse>> answer) {
        if (isRepeated(request.params())) {
            return Future.succeededFuture(DocumentResponse.problem(400, "Bad Request", REPEATED));
        }
        Map<String, String> parameters = parameters(request);
        return refusal.apply(parameters).map(Future::succeededFuture).orElseGet(() -> answer.apply(parameters));
    }

    /** Returns true if a query has a parameter more than once. */
    static boolean isRepeated(MultiMap parameters) {
        return parameters.entries().size() > parameters.names().size();
    }

    /**
     * Encodes an answer on a worker thread, because the answer may be long and this event loop may also serve a
     * gateway.
     */
    private Future<DocumentResponse> encode(Supplier<DocumentResponse> answer) {
        return vertx.executeBlocking(answer::get, /* ordered= */ false).map(made -> Objects.requireNonNull(made));
    }

    private Future<DocumentResponse> share(
            ManagementSharedAnswers<DocumentResponse> kind, Object question, Supplier<Future<DocumentResponse>> maker) {
        return kind.ask(vertx, question, maker).otherwise(ManagementFailureAnswer::answer);
    }
}
