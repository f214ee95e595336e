package dev.sluice.cli.console;

import dev.sluice.cli.console.GatewayInCluster.ManagementPort;
import dev.sluice.cli.console.GatewayInCluster.NotAsked;
import dev.sluice.cluster.ClusterStateException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A route to a gateway in the cluster, through a local port that is forwarded to a pod. If the pod no longer exists,
 * for example after a rollout, a port is forwarded to another pod that is ready. A gateway that requires a token gets
 * the token of the kubeconfig, unless the user has named a token file.
 */
final class ForwardedRoute implements RunningGatewayRoute {

    /** The time limit of the request that checks a newly forwarded port. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final OptionalInt FORBIDDEN = OptionalInt.of(403);

    private final GatewayInCluster cluster;
    private final ConnectionOption connection;
    private final GatewayCredentials files;
    private @Nullable ForwardedPort port;
    private GatewayApiClient client;
    /** The header with the token. It is null until a gateway requires a token. */
    private @Nullable RunningGatewayToken header;

    private ForwardedRoute(GatewayInCluster cluster, ConnectionOption connection, GatewayCredentials files)
            throws UserProblem {
        this.cluster = cluster;
        this.connection = connection;
        this.files = files;
        this.client = found();
    }

    /**
     * Forwards a port to a gateway that is ready.
     *
     * @param cluster finds the pods of the gateway; it is closed together with this route, and also if no port can be
     *     forwarded
     */
    static ForwardedRoute open(
            GatewayInCluster cluster, ConnectionOption connection, GatewayOption.Credentials credentials)
            throws UserProblem {
        try {
            return new ForwardedRoute(cluster, connection, credentials.files());
        } catch (UserProblem failed) {
            cluster.close();
            throw failed;
        }
    }

    @Override
    public synchronized GatewayApiClient now() {
        return client;
    }

    @Override
    public synchronized GatewayApiClient after(GatewayApiClient silent) throws UserProblem {
        // Several requests may have failed at the same time. Only the first one looks for another pod. The others get
        // the client for the pod that it has found.
        if (silent.equals(client)) {
            GatewayApiClient next = found();
            client.client().shutdownNow();
            client = next;
        }
        return client;
    }

    /** Forwards a port to the first gateway for which the API server permits it. */
    private GatewayApiClient found() throws UserProblem {
        try {
            List<String> refusals = new ArrayList<>();
            for (ManagementPort candidate : cluster.forwardable(
                    Optional.ofNullable(port).map(last -> last.port().pod()))) {
                ForwardedPort next = cluster.forward(candidate);
                try {
                    GatewayApiClient opened = client(next);
                    OptionalInt refusal = check(next, opened);
                    if (refusal.isEmpty()) {
                        closePort();
                        port = next;
                        return opened;
                    }
                    opened.client().shutdownNow();
                    refusals.add(refusal.getAsInt() + " for the pod " + candidate.pod());
                } finally {
                    if (!next.equals(port)) {
                        next.close();
                    }
                }
            }
            throw new NotAsked("the API server did not forward a port; it answered " + String.join(", and ", refusals));
        } catch (NotAsked notAsked) {
            throw new UserProblem("no gateway can be reached: " + notAsked.getMessage());
        }
    }

    /**
     * Connects once, so that a user who may not forward a port gets the error before the browser is opened. A gateway
     * that does not answer is no error here, because it may answer later.
     *
     * @return the HTTP status with which the API server has refused to forward the port; empty if it has not refused
     */
    private OptionalInt check(ForwardedPort forwarded, GatewayApiClient opened) throws NotAsked {
        HttpRequest request = HttpRequest.newBuilder(URI.create(forwarded.base() + "/livez"))
                .timeout(PATIENCE)
                .build();
        try {
            var _ = opened.client().send(request, BodyHandlers.discarding());
        } catch (IOException _) {
            // A refusal by the API server may not have arrived yet. Therefore the API server is asked whether the user
            // lacks a right.
            List<String> missing = cluster.missingToForward();
            if (!missing.isEmpty() || forwarded.refusal().equals(FORBIDDEN)) {
                opened.client().shutdownNow();
                throw cluster.forbidden(missing);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return forwarded.refusal();
    }

    private GatewayApiClient client(ForwardedPort forwarded) throws UserProblem {
        if (!forwarded.port().isGuarded()) {
            if (!files.equals(GatewayCredentials.NONE)) {
                throw new UserProblem("--token-file and --ca-file are for a gateway with management.access: kubernetes,"
                        + " and the one in the namespace " + cluster.namespace() + " serves everybody; leave them out");
            }
            return new GatewayApiClient(forwarded.base(), HttpClient.newHttpClient(), Optional::empty);
        }
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(files.trust(cluster.certificateName(), this::ofWebhook))
                .build();
        return new GatewayApiClient(forwarded.base(), trusting, token());
    }

    /** Returns the authorities that the API server trusts when it calls the gateway. */
    private List<X509Certificate> ofWebhook() throws UserProblem {
        String problem = "its webhook has no caBundle";
        try {
            List<X509Certificate> found = cluster.authorities();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (ClusterStateException unread) {
            problem = "its webhook cannot be read: " + unread.getMessage();
        }
        throw new UserProblem(
                List.of(
                        "the gateway in the namespace " + cluster.namespace()
                                + " wants a token, and it is not known which authority has signed its certificate ("
                                + problem
                                + ")",
                        "Name the authority with --ca-file; whoever may read Secrets gets it by: kubectl -n "
                                + cluster.namespace()
                                + " get secret gpu-webhook-certs -o jsonpath='{.data.ca\\.crt}' | base64 -d > ca.crt"),
                null);
    }

    private Supplier<Optional<String>> token() throws UserProblem {
        RunningGatewayToken known = header;
        if (known == null) {
            known = new RunningGatewayToken(
                    files.hasToken() ? files::authorization : this::ofKubeconfig, InstantSource.system());
            header = known;
        }
        return known;
    }

    private Optional<String> ofKubeconfig() throws UserProblem {
        try {
            Optional<String> token = connection.token(cluster.context());
            if (token.isPresent()) {
                return token.map(text -> "Bearer " + text);
            }
        } catch (ClusterStateException unreadable) {
            throw new UserProblem(String.valueOf(unreadable.getMessage()), unreadable);
        }
        throw new UserProblem(
                List.of(
                        "the gateway in the namespace " + cluster.namespace()
                                + " wants a token, and your kubeconfig has none"
                                + " for this cluster; a gateway accepts no client certificate",
                        "Make a token of a service account that has your rights, and name it: kubectl -n NAMESPACE create token"
                                + " NAME > token, then --token-file token"),
                null);
    }

    private void closePort() {
        if (port != null) {
            port.close();
        }
    }

    @Override
    public synchronized void close() {
        client.client().shutdownNow();
        closePort();
        cluster.close();
    }
}
