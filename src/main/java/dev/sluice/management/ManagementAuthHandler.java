package dev.sluice.management;

import dev.sluice.api.DocumentResponse;
import dev.sluice.metrics.parts.AccessRefusal;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a client may send its request to the management port. Probes, the list of paths and the files of the
 * console need no token. Every other request needs a right, about which an {@link AccessGate} decides. A request about
 * one namespace is also allowed for a client who may create pods there. Its answer must then contain nothing of other
 * namespaces ({@link #tenant}).
 */
final class ManagementAuthHandler {

    /** The paths that need no token, because the kubelet sends none with its probes. */
    private static final Set<String> OPEN_PATHS = Set.of("/livez", "/readyz");

    /**
     * A client that has the right to get this path sees the checks in {@code /readyz?verbose}. The checks name objects
     * of the cluster.
     */
    private static final String CHECKS = "/gpu-webhook/api/v1/readyz";

    /**
     * The path of the list of paths. Everybody may get it, but the list names only the paths that the client may read.
     */
    private static final String INDEX = "/";

    private static final String RIGHTS = ManagementAuthHandler.class.getName() + ".rights";

    private static final String PROBE_ONLY = ManagementAuthHandler.class.getName();

    /**
     * The paths whose answers can be about a single namespace. A client with rights in one namespace only may get these
     * paths. All other paths require the right to the path itself.
     */
    private static final Set<String> PATHS_OF_NAMESPACES = Set.of(
            "/api/v1/decisions",
            "/api/v1/decisions/summary",
            "/api/v1/diagnosis",
            ManagementRoutes.CAPACITY + "/history",
            ManagementRoutes.CAPACITY + "/holders",
            ManagementRoutes.FLEET,
            ManagementRoutes.FLOW,
            ManagementRoutes.EVENTS,
            ManagementRoutes.EXPLAIN);

    private static final String TENANT = PROBE_ONLY + ".tenant";

    private static final String SCHEME = "Bearer ";

    /**
     * The path of the metrics. Clients need the right to this path without the prefix {@link #BELOW}, because the roles
     * of other programs already grant it.
     */
    private static final String METRICS = "/metrics";

    /**
     * The prefix that is put before a path when the API server is asked about the right to it. Only {@link #METRICS}
     * gets no prefix. Kubernetes allows every account to get {@code /api/*} (ClusterRole system:discovery). Without the
     * prefix, every account could therefore read the API of Sluice (decision 24).
     */
    private static final String BELOW = "/gpu-webhook";

    private final AccessGate gate;
    /**
     * The gate for requests about one namespace. It has a cache of its own, so that clients who may read about one
     * namespace only cannot evict the cached decisions of the other gate.
     */
    private final AccessGate gateOfNamespaces;

    private final Consumer<AccessRefusal> refused;
    private final BiConsumer<RoutingContext, Supplier<DocumentResponse>> show;

    /**
     * Creates the check.
     *
     * @param newGate a supplier of new gates, which decide about tokens
     * @param refused a callback for each refused request; its argument is the cause
     * @param show a callback that sends the error to a refused client
     */
    ManagementAuthHandler(
            Supplier<AccessGate> newGate,
            Consumer<AccessRefusal> refused,
            BiConsumer<RoutingContext, Supplier<DocumentResponse>> show) {
        this.gate = newGate.get();
        this.gateOfNamespaces = newGate.get();
        this.refused = refused;
        this.show = show;
    }

    void check(RoutingContext context) {
        // This handler and the routes use the path as the client wrote it. If only one of them normalized the path, a
        // right to one path could give access to another.
        String path = String.valueOf(context.request().path());
        Optional<String> token = token(context.request().getHeader("Authorization"));
        if (OPEN_PATHS.contains(path)) {
            probe(context, token);
        } else if (ManagementConsolePages.include(path)) {
            context.next();
        } else if (path.equals(INDEX)) {
            index(context, token);
        } else if (token.isEmpty()) {
            refuse(context, AccessRefusal.NO_TOKEN, AccessRight.toPath(path));
        } else {
            AccessRight right = new AccessRight(path.equals(METRICS) ? path : BELOW + path, namespace(context, path));
            AccessGate asked = right.namespace().isPresent() ? gateOfNamespaces : gate;
            var _ = asked.decide(token.get(), right).thenAccept(decision -> decided(context, decision, right));
        }
    }

    /**
     * Returns the value of the query parameter {@code namespace}. Returns empty if the path has no answers about a
     * single namespace, or if the query does not name exactly one valid namespace.
     */
    private static Optional<String> namespace(RoutingContext context, String path) {
        List<String> named = context.request().params().getAll("namespace");
        return PATHS_OF_NAMESPACES.contains(path) && named.size() == 1
                ? Optional.of(named.getFirst()).filter(AccessRight::isNamespace)
                : Optional.empty();
    }

    /**
     * Returns the namespace to which the answer must be limited, because the client may not read about others. Returns
     * empty if the client may read about all namespaces.
     */
    static Optional<String> tenant(RoutingContext context) {
        return Optional.ofNullable(context.get(TENANT));
    }

    /**
     * Allows every probe, because a probe must not fail for a missing or invalid token. The answer contains the checks
     * only if the query contains {@code verbose} and the token has the right to read them.
     */
    private void probe(RoutingContext context, Optional<String> token) {
        context.put(PROBE_ONLY, true);
        if (token.isEmpty() || !context.queryParams().contains("verbose")) {
            context.next();
            return;
        }
        var _ = gate.decide(token.get(), AccessRight.toPath(CHECKS)).thenAccept(decision -> {
            if (decision == AccessDecision.ALLOWED) {
                context.remove(PROBE_ONLY);
            }
            context.next();
        });
    }

    /**
     * Determines which paths the list of paths may name for this client. Without a valid token, the list names only the
     * paths of the probes and of the console.
     */
    private void index(RoutingContext context, Optional<String> token) {
        Set<String> rights = new HashSet<>();
        context.put(RIGHTS, rights);
        CompletableFuture<?>[] questions = Stream.of(METRICS, CHECKS)
                .map(right -> token.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : gate.decide(token.get(), AccessRight.toPath(right)).thenAccept(decision -> {
                            if (decision == AccessDecision.ALLOWED) {
                                rights.add(right);
                            }
                        }))
                .toArray(CompletableFuture[]::new);
        var _ = CompletableFuture.allOf(questions).thenRun(context::next);
    }

    /**
     * Returns true if the list of paths may name this path. A client that may read the checks may read all paths of the
     * API, because one role in the manifests grants both.
     */
    static boolean mayRead(RoutingContext context, String path) {
        Set<String> rights = context.get(RIGHTS);
        return rights == null
                || OPEN_PATHS.contains(path)
                || ManagementConsolePages.include(path)
                || rights.contains(path.equals(METRICS) ? METRICS : CHECKS);
    }

    /**
     * Handles a request whose host is unknown. Returns true if the request is a probe. A probe is answered in spite of
     * its host, but the answer contains only the status.
     */
    static boolean limitToProbe(RoutingContext context) {
        context.put(PROBE_ONLY, true);
        return isProbe(context);
    }

    /** Returns true if the request is for the path of a probe. */
    static boolean isProbe(RoutingContext context) {
        return OPEN_PATHS.contains(String.valueOf(context.request().path()));
    }

    /**
     * Returns true if the client may see only the status of a probe. It may not see the single checks, which name
     * objects of the cluster.
     */
    static boolean isProbeOnly(RoutingContext context) {
        return context.get(PROBE_ONLY, false);
    }

    /**
     * Returns the bearer token. Returns empty if the header contains no bearer token. The comparison of the scheme is
     * case-insensitive (RFC 9110).
     */
    private static Optional<String> token(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(authorization.substring(SCHEME.length()).strip()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    private void decided(RoutingContext context, AccessDecision decision, AccessRight right) {
        if (context.response().closed()) {
            // The client has closed the connection. An event stream that began now would never be notified that its
            // client is gone.
            return;
        }
        switch (decision) {
            case ALLOWED -> context.next();
            case ALLOWED_FOR_NAMESPACE -> {
                context.put(TENANT, right.namespace().orElseThrow());
                context.next();
            }
            case NOT_AUTHENTICATED -> refuse(context, AccessRefusal.NOT_AUTHENTICATED, right);
            case NOT_AUTHORISED -> refuse(context, AccessRefusal.NOT_AUTHORISED, right);
            case UNKNOWN -> refuse(context, AccessRefusal.NOT_KNOWN, right);
        }
    }

    private void refuse(RoutingContext context, AccessRefusal refusal, AccessRight right) {
        refused.accept(refusal);
        switch (refusal) {
            case NO_TOKEN -> challenge(context, "this gateway needs a bearer token in the header Authorization");
            case NOT_AUTHENTICATED ->
                challenge(context, "this bearer token is longer than 16 KiB, or the API server does not know it");
            case NOT_AUTHORISED ->
                show.accept(context, () -> DocumentResponse.problem(403, "Forbidden", missing(right)));
            case NOT_KNOWN ->
                show.accept(
                        context,
                        () -> DocumentResponse.problem(
                                        503,
                                        "Service Unavailable",
                                        "the API server could not be asked about this token; ask again, and if that does not"
                                                + " help, see the log of the gateway")
                                .retryAfter(1));
        }
    }

    private static String missing(AccessRight right) {
        String lacks = "the owner of this token has no right to get the nonResourceURL " + right.path()
                + ", which the ClusterRole gpu-webhook-metrics-reader grants";
        return right.namespace().isPresent()
                ? lacks + ", and may not create pods in the namespace "
                        + right.namespace().get()
                : PATHS_OF_NAMESPACES.stream().map(BELOW::concat).anyMatch(right.path()::equals)
                        ? lacks + "; whoever may create pods in a namespace may ask with ?namespace=NAME"
                        : lacks;
    }

    private void challenge(RoutingContext context, String detail) {
        context.response().putHeader("WWW-Authenticate", "Bearer");
        show.accept(context, () -> DocumentResponse.problem(401, "Unauthorized", detail));
    }
}
