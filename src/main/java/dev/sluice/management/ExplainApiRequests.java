package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.DocumentResponse;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.management.ManagementManifestExplainer.ExplainQuestion;
import dev.sluice.webhook.intake.BodyLimits;
import dev.sluice.webhook.intake.BodyPiecePool;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import dev.sluice.webhook.intake.MemoryBudget;
import dev.sluice.webhook.intake.RequestBodyContentType;
import dev.sluice.webhook.intake.RequestBodyIntake;
import dev.sluice.webhook.intake.WholeBody;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Handles the requests to explain a manifest: checks the query, collects the body, and answers. */
final class ExplainApiRequests {

    private static final List<String> PARAMETERS = List.of("namespace", "text");

    /**
     * The largest body of a request to explain a manifest, in bytes. It is several times the size of usual manifests.
     * The parsed tree takes up to forty times as much memory, so only one request is answered at a time.
     */
    static final int MOST_BYTES = 256 * 1_024;

    /**
     * The heap size, in bytes, from which the memory limit for the bodies of requests to explain a manifest is
     * computed. It is not the real size. With this value, eight of the largest bodies fit at a time.
     */
    private static final long HEAP = 128L * 1_024 * 1_024;

    /** The longest time that a client may take to send the body of a request to explain a manifest. */
    private static final Duration BODY_TIME = Duration.ofSeconds(10);

    private final ManagementAnswers answers;
    private final Readiness readiness;
    private final RateLimitedApi api;
    private final ExplainApi explanations;
    private final BodyLimits bodies;

    ExplainApiRequests(
            ManagementAnswers answers,
            Readiness readiness,
            RateLimitedApi api,
            ExplainApi explanations,
            BodyLimits bodies) {
        this.answers = answers;
        this.readiness = readiness;
        this.api = api;
        this.explanations = explanations;
        this.bodies = bodies;
    }

    /** Returns the limits of the bodies of requests to explain a manifest. */
    static BodyLimits bodyLimits(Vertx vertx, Context context, Connections connections) {
        ClientAbuseCounter abuse = new ClientAbuseCounter();
        return new BodyLimits(
                vertx,
                context,
                MOST_BYTES,
                new IntakeSharedLimits(
                        connections, MemoryBudget.of(HEAP, MOST_BYTES, abuse), new BodyPiecePool(), abuse));
    }

    /** Answers a POST request to explain a manifest. */
    void explain(RoutingContext context) {
        HttpServerRequest request = context.request();
        Optional<String> sentence =
                DocumentResponse.unknownParameter(context.queryParams().names(), PARAMETERS);
        List<String> namespaces = request.params().getAll("namespace");
        if (sentence.isPresent()) {
            answers.refuse(context, 400, sentence.get());
        } else if (namespaces.size() > 1 || request.params().getAll("text").size() > 1) {
            answers.refuse(context, 400, RateLimitedApi.REPEATED);
        } else if (!namespaces.stream().allMatch(AccessRight::isNamespace)) {
            answers.refuse(context, 400, "no namespace can have the name in the query");
        } else if (!RequestBodyContentType.is(request.getHeader("Content-Type"))) {
            answers.refuse(context, 415, "the content type must be application/json; kubectl -o json writes it");
        } else if (request.getHeader("Content-Encoding") != null) {
            answers.refuse(context, 415, "the body must not be compressed");
        } else if (readiness.cluster().isEmpty()) {
            answers.refuse(context, 503, "the cluster has not been listed yet");
        } else {
            collect(
                    context,
                    json -> answers.show(
                            context,
                            api.explanation(
                                    ManagementAuthHandler.tenant(context).isPresent(),
                                    () -> explanations.explain(
                                            new ExplainQuestion(
                                                    json,
                                                    namespaces.stream().findFirst(),
                                                    ManagementAuthHandler.tenant(context)
                                                            .isPresent(),
                                                    Objects.equals(request.getParam("text"), "true")),
                                            readiness.cluster().orElseThrow()))));
        }
    }

    private void collect(RoutingContext context, Consumer<String> next) {
        RequestBodyIntake.collect(
                context.request(), bodies, BusRequestDeadline.in(BODY_TIME), new RequestBodyIntake.BodyOutcome() {
                    @Override
                    public void complete(WholeBody body) {
                        Optional<String> json = body.take().map(bytes -> new String(bytes.join(), UTF_8));
                        body.release();
                        json.ifPresent(next);
                    }

                    @Override
                    public void refused(int status, String sentence) {
                        answers.refuse(context, status, sentence);
                    }
                });
        context.response().closeHandler(_ -> {
            if (!context.request().isEnded()) {
                answers.endQuestion(context);
            }
        });
        var _ = context.request().resume();
    }
}
