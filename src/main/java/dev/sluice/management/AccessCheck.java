package dev.sluice.management;

import dev.sluice.api.ApiAnswer;
import dev.sluice.management.access.AccessDecision;
import dev.sluice.management.access.AccessGate;
import dev.sluice.management.access.AccessRefusal;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets probes pass without a token, and lets every other request pass only if the gate allows it. */
final class AccessCheck {

    /** The kubelet sends no token. */
    private static final Set<String> OPEN_PATHS = Set.of("/livez", "/readyz");

    /** The checks of {@code /readyz?verbose} name objects of the cluster, so they need the right to read the API. */
    private static final String CHECKS = "/gpu-webhook/api/v1/readyz";

    private static final String PROBE_ONLY = AccessCheck.class.getName();

    private static final String SCHEME = "Bearer ";

    /** The usual name of metrics, which roles of other programs grant too. */
    private static final String METRICS = "/metrics";

    /**
     * Kubernetes lets every account of a cluster get {@code /api/*} of the API server itself (the ClusterRole
     * system:discovery), so that a question about such a path would let everybody in (decision 24).
     */
    private static final String BELOW = "/gpu-webhook";

    private final AccessGate gate;
    private final Consumer<AccessRefusal> refused;
    private final BiConsumer<RoutingContext, Supplier<ApiAnswer>> show;

    /**
     * A check that asks this gate.
     *
     * @param refused is told of each request that is not let in
     * @param show sends what is answered to those who may not pass
     */
    AccessCheck(
            AccessGate gate, Consumer<AccessRefusal> refused, BiConsumer<RoutingContext, Supplier<ApiAnswer>> show) {
        this.gate = gate;
        this.refused = refused;
        this.show = show;
    }

    void check(RoutingContext context) {
        // The path as it was sent: the routes match it too, so that the right to one path opens no other.
        String path = String.valueOf(context.request().path());
        Optional<String> token = token(context.request().getHeader("Authorization"));
        if (OPEN_PATHS.contains(path)) {
            probe(context, token);
        } else if (token.isEmpty()) {
            refuse(context, AccessRefusal.NO_TOKEN, path);
        } else {
            String right = path.equals(METRICS) ? path : BELOW + path;
            var _ = gate.decide(token.get(), right).thenAccept(decision -> decided(context, decision, right));
        }
    }

    /** Lets the request pass in any case, because an invalid token must not fail a probe. */
    private void probe(RoutingContext context, Optional<String> token) {
        context.put(PROBE_ONLY, true);
        if (token.isEmpty() || !context.queryParams().contains("verbose")) {
            context.next();
            return;
        }
        var _ = gate.decide(token.get(), CHECKS).thenAccept(decision -> {
            if (decision == AccessDecision.ALLOWED) {
                context.remove(PROBE_ONLY);
            }
            context.next();
        });
    }

    /** True if the client may learn the status but none of the names behind it. */
    static boolean isProbeOnly(RoutingContext context) {
        return context.get(PROBE_ONLY, false);
    }

    /** Empty if there is none. The name of the scheme has no case (RFC 9110). */
    private static Optional<String> token(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(authorization.substring(SCHEME.length()).strip()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    private void decided(RoutingContext context, AccessDecision decision, String right) {
        if (context.response().closed()) {
            // The client did not wait; a stream that begins now would never be told that it has ended.
            return;
        }
        switch (decision) {
            case ALLOWED -> context.next();
            case NOT_AUTHENTICATED -> refuse(context, AccessRefusal.NOT_AUTHENTICATED, right);
            case NOT_AUTHORISED -> refuse(context, AccessRefusal.NOT_AUTHORISED, right);
            case UNKNOWN -> refuse(context, AccessRefusal.NOT_KNOWN, right);
        }
    }

    private void refuse(RoutingContext context, AccessRefusal refusal, String right) {
        refused.accept(refusal);
        switch (refusal) {
            case NO_TOKEN -> challenge(context, "this gateway needs a bearer token in the header Authorization");
            case NOT_AUTHENTICATED ->
                challenge(context, "this bearer token is longer than 16 KiB, or the API server does not know it");
            case NOT_AUTHORISED ->
                show.accept(
                        context,
                        () -> ApiAnswer.problem(
                                403,
                                "Forbidden",
                                "the owner of this token has no right to get the nonResourceURL " + right));
            case NOT_KNOWN ->
                show.accept(
                        context,
                        () -> ApiAnswer.problem(
                                        503,
                                        "Service Unavailable",
                                        "the API server could not be asked about this token; ask again, and if that does not"
                                                + " help, see the log of the gateway")
                                .retryAfter(1));
        }
    }

    private void challenge(RoutingContext context, String detail) {
        context.response().putHeader("WWW-Authenticate", "Bearer");
        show.accept(context, () -> ApiAnswer.problem(401, "Unauthorized", detail));
    }
}
