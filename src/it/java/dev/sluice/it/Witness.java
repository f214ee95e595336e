package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Webhooks of one configuration, in a namespace in which the gateway is not asked: they answer as a test says, and
 * remember what the API server does.
 */
final class Witness implements AutoCloseable {

    /** Answers a review; called on an event loop. */
    interface Webhook {
        Reply answer(Call call);
    }

    private final Vertx vertx = Vertx.vertx();
    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final Cluster cluster;
    private final String namespace;
    private final List<Webhook> webhooks;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final int port;
    private volatile Gate held = new Gate(0);
    private volatile long delayMillis;
    private String configuration;

    /** Serves them, the first at {@code /0}; they are not registered yet. */
    Witness(Cluster cluster, Webhook... webhooks) {
        this(cluster, "witness", webhooks);
    }

    /** The same in a namespace of which the name ends so, because a test has several of them. */
    Witness(Cluster cluster, String name, Webhook... webhooks) {
        this.cluster = cluster;
        this.namespace = cluster.namespace() + "-" + name;
        this.configuration = namespace;
        this.webhooks = List.of(webhooks);
        cluster.newNamespace(namespace, Map.of("gpu-webhook", "disabled"));
        port = vertx.createHttpServer(options())
                .connectionHandler(connection -> {
                    connections.incrementAndGet();
                    connection.closeHandler(_ -> connections.decrementAndGet());
                })
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    /** HTTP/2 is offered too, so that the API server's choice is seen. */
    private HttpServerOptions options() {
        CertifiedKey serving = authority.issue(
                new ServerCertificateNames(
                        List.of("localhost", serviceName() + "." + namespace + ".svc"), List.of("127.0.0.1")),
                Instant.now(),
                Duration.ofDays(1));
        return new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setIdleTimeout(0)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(serving.certificatePem()))
                        .addKeyValue(Buffer.buffer(serving.keyPem())));
    }

    static String serviceName() {
        return "witness";
    }

    private void handle(HttpServerRequest http) {
        var _ = http.body().onSuccess(body -> {
            JsonNode review = Serialization.unmarshal(body.toString(UTF_8), JsonNode.class);
            Call call = new Call(http.version(), String.valueOf(http.query()), review.path("request"));
            // Called to find out whether the configuration is in force.
            boolean probe = call.object().path("metadata").path("name").asText().equals("probe");
            Reply reply =
                    probe ? Reply.allow() : webhook(String.valueOf(http.path())).answer(call);
            calls.add(call);
            if (probe || delayMillis == 0) {
                held.whenReached(() -> send(http, call, reply));
            } else {
                vertx.setTimer(delayMillis, _ -> send(http, call, reply));
            }
        });
    }

    private static void send(HttpServerRequest http, Call call, Reply reply) {
        reply.headers().forEach((name, value) -> {
            var _ = http.response().putHeader(name, value);
        });
        var _ = http.response().setStatusCode(reply.status()).end(text(call, reply));
    }

    /** From now on each answer takes so long. */
    void delay(Duration each) {
        delayMillis = each.toMillis();
    }

    /** From now on this gateway is asked in this namespace, too. */
    Witness withGateway(Gateway gateway) {
        var _ = cluster.client().namespaces().withName(namespace).edit(found -> {
            found.getMetadata().getLabels().remove("gpu-webhook");
            return found;
        });
        Eventually.holds("the gateway is asked there too", () -> {
            double before = gateway.decisions();
            var _ = dryRun(Pods.asking("probe", "nvidia.com/gpu"));
            return gateway.decisions() > before;
        });
        calls.clear();
        return this;
    }

    /** From now on nothing is answered until so many calls are here at once. */
    void hold(int count) {
        held = new Gate(count);
    }

    private Webhook webhook(String path) {
        return webhooks.get(Integer.parseInt(path.substring(1)));
    }

    private static String text(Call call, Reply reply) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = reply.response().deepCopy();
        if (!response.has("uid")) {
            response.put("uid", call.uid());
        }
        review.set("response", response);
        return review.toString();
    }

    /** Registers all of them, and is back when the API server calls them. */
    Witness registered(UnaryOperator<MutatingWebhookBuilder> settings) {
        return registeredAs(namespace, settings);
    }

    Witness registered() {
        return registered(UnaryOperator.identity());
    }

    /** The same for a configuration of this name, which decides when they are called. */
    Witness registeredAs(String name, UnaryOperator<MutatingWebhookBuilder> settings) {
        configuration = name;
        List<MutatingWebhook> entries = IntStream.range(0, webhooks.size())
                .mapToObj(i -> settings.apply(entry(i)).build())
                .toList();
        var _ = cluster.client()
                .resource(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withWebhooks(entries)
                        .build())
                .create();
        Eventually.holds("the API server calls " + namespace, () -> {
            var _ = dryRun(Pods.plain("probe"));
            return calls.size() >= webhooks.size();
        });
        calls.clear();
        return this;
    }

    private MutatingWebhookBuilder entry(int index) {
        return new MutatingWebhookBuilder()
                .withName("witness-" + index + ".it.sluice.dev")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("NoneOnDryRun")
                .withFailurePolicy("Ignore")
                .withTimeoutSeconds(5)
                .withNewClientConfig()
                .withUrl("https://127.0.0.1:" + port + "/" + index)
                .withCaBundle(caBundle())
                .endClientConfig()
                .withNewNamespaceSelector()
                .addToMatchLabels("kubernetes.io/metadata.name", namespace)
                .endNamespaceSelector()
                .addNewRule()
                .withApiGroups("")
                .withApiVersions("v1")
                .withResources("pods")
                .withOperations("CREATE")
                .endRule();
    }

    /** Changes the registration of the first; in force soon. */
    void edit(Consumer<MutatingWebhook> change) {
        var _ = cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(configuration)
                .edit(found -> {
                    change.accept(found.getWebhooks().getFirst());
                    return found;
                });
    }

    String caBundle() {
        return Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(UTF_8));
    }

    int port() {
        return port;
    }

    String namespace() {
        return namespace;
    }

    /** In the order in which they were answered. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    int connections() {
        return connections.get();
    }

    Api.Answer create(Pod pod) throws Exception {
        return cluster.create(pod, namespace);
    }

    Api.Answer dryRun(Pod pod) throws Exception {
        return cluster.dryRun(pod, namespace);
    }

    @Override
    public void close() {
        var _ = cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(configuration)
                .delete();
        var _ = cluster.client()
                .pods()
                .inNamespace(namespace)
                .withGracePeriod(0)
                .delete();
        var _ = cluster.client().namespaces().withName(namespace).delete();
        var _ = vertx.close().await();
    }
}
