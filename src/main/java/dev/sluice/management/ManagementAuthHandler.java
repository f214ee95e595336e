package dev.sluice.management;

import dev.sluice.api.ApiAnswer;
import dev.sluice.management.access.AccessDecision;
import dev.sluice.management.access.AccessGate;
import dev.sluice.management.access.AccessRefusal;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the access of each request to the management port. Probes and the list of paths need no token. Every other
 * request is allowed only if the {@link AccessGate} allows it.
 */
final class ManagementAuthHandler {

    /** The paths that need no token, because the kubelet sends none with its probes. */
    private static final Set<String> OPEN_PATHS = Set.of("/livez", "/readyz");

    /**
     * The path for which the access of a client of {@code /readyz?verbose} is checked. Without access, the answer does
     * not contain the checks, because they name objects of the cluster.
     */
    private static final String CHECKS = "/gpu-webhook/api/v1/readyz";

    /** The path of the list of paths. Everybody may get it, and it names only what the client may read. */
    private static final String INDEX = "/";

    private static final String RIGHTS = ManagementAuthHandler.class.getName() + ".rights";

    private static final String PROBE_ONLY = ManagementAuthHandler.class.getName();

    private static final String SCHEME = "Bearer ";

    /**
     * The path of the metrics. It is checked without a prefix, because roles of other programs grant {@code /metrics}
     * too.
     */
    private static final String METRICS = "/metrics";

    /**
     * The prefix of every other path in a question to the API server. Kubernetes allows every account of a cluster to
     * get {@code /api/*} (ClusterRole system:discovery), so a question without the prefix would allow every account to
     * read (decision 24).
     */
    private static final String BELOW = "/gpu-webhook";

    private final AccessGate gate;
    private final Consumer<AccessRefusal> refused;
    private final BiConsumer<RoutingContext, Supplier<ApiAnswer>> show;

    /**
     * Creates the check.
     *
     * @param gate decides about tokens
     * @param refused receives the cause of each refused request
     * @param show sends the answer to a refused client
     */
    ManagementAuthHandler(
            AccessGate gate, Consumer<AccessRefusal> refused, BiConsumer<RoutingContext, Supplier<ApiAnswer>> show) {
        this.gate = gate;
        this.refused = refused;
        this.show = show;
    }

    void check(RoutingContext context) {
        // The path is checked in the form in which it was sent. The routes match the same form, so a right to one path
        // allows no other path.
        String path = String.valueOf(context.request().path());
        Optional<String> token = token(context.request().getHeader("Authorization"));
        if (OPEN_PATHS.contains(path)) {
            probe(context, token);
        } else if (path.equals(INDEX)) {
            index(context, token);
        } else if (token.isEmpty()) {
            refuse(context, AccessRefusal.NO_TOKEN, path);
        } else {
            String right = path.equals(METRICS) ? path : BELOW + path;
            var _ = gate.decide(token.get(), right).thenAccept(decision -> decided(context, decision, right));
        }
    }

    /**
     * Allows a probe in any case, because a probe must not fail because of an invalid token. With a valid token, the
     * answer contains the checks.
     */
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

    /** Finds out what the list of paths may name. Without a valid token it names the paths of the probes only. */
    private void index(RoutingContext context, Optional<String> token) {
        Set<String> rights = new HashSet<>();
        context.put(RIGHTS, rights);
        CompletableFuture<?>[] questions = Stream.of(METRICS, CHECKS)
                .map(right -> token.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : gate.decide(token.get(), right).thenAccept(decision -> {
                            if (decision == AccessDecision.ALLOWED) {
                                rights.add(right);
                            }
                        }))
                .toArray(CompletableFuture[]::new);
        var _ = CompletableFuture.allOf(questions).thenRun(context::next);
    }

    /**
     * Returns true if the list of paths may name this path. Whoever may read the checks may read all paths of the API
     * by the role of the manifests.
     */
    static boolean mayRead(RoutingContext context, String path) {
        Set<String> rights = context.get(RIGHTS);
        return rights == null || OPEN_PATHS.contains(path) || rights.contains(path.equals(METRICS) ? METRICS : CHECKS);
    }

    /**
     * Limits the answer to the status, which is all that a probe needs. Returns true if the path is the path of a
     * probe.
     */
    static boolean limitToProbe(RoutingContext context) {
        context.put(PROBE_ONLY, true);
        return OPEN_PATHS.contains(String.valueOf(context.request().path()));
    }

    /** Returns true if the client may see only the status, and not the checks with their names. */
    static boolean isProbeOnly(RoutingContext context) {
        return context.get(PROBE_ONLY, false);
    }

    /**
     * Returns the bearer token. Returns empty if the header contains no bearer token. The scheme is compared without
     * case (RFC 9110).
     */
    private static Optional<String> token(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(authorization.substring(SCHEME.length()).strip()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    private void decided(RoutingContext context, AccessDecision decision, String right) {
        if (context.response().closed()) {
            // The client has closed the connection. An event stream that began now would never learn that its client is
            // gone.
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
