package dev.sluice.tls.selfmanaged;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** An API server that keeps the Secret and the webhook configuration. Its watches end at once. */
final class FakeCertificateServer {

    private final HttpServer server;
    private JsonObject secret = object("v1", "Secret", CertificateStore.SECRET);
    private JsonObject webhooks = object(
                    "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", CertificateStore.CONFIGURATION)
            .put(
                    "webhooks",
                    new JsonArray()
                            .add(new JsonObject()
                                    .put("name", CertificateStore.WEBHOOK)
                                    .put("clientConfig", new JsonObject())));

    private boolean isOutrun;
    private long version = 1;

    FakeCertificateServer(Vertx vertx) {
        server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> serve(request, body.toString())))
                .listen(0, "127.0.0.1")
                .await();
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.actualPort() + "/")
                        .withNamespace("gateways")
                        .withHttp2Disable(true)
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    /** From now on, another replica writes before each write. */
    synchronized void outrunEveryWrite() {
        isOutrun = true;
    }

    private static JsonObject object(String apiVersion, String kind, String name) {
        return new JsonObject()
                .put("apiVersion", apiVersion)
                .put("kind", kind)
                .put(
                        "metadata",
                        new JsonObject()
                                .put("name", name)
                                .put("namespace", "gateways")
                                .put("resourceVersion", "1"));
    }

    private synchronized void serve(HttpServerRequest request, String body) {
        boolean isRead = request.method().name().equals("GET");
        JsonObject answer = request.params().contains("watch")
                ? new JsonObject()
                : !isRead && isOutrun
                        ? conflict()
                        : String.valueOf(request.path()).contains("secrets")
                                ? ofSecret(isRead, body)
                                : ofWebhooks(isRead, body);
        var _ = request.response()
                .setStatusCode(answer.getInteger("code", 200))
                .putHeader("Content-Type", "application/json")
                .end(answer.toBuffer());
    }

    private JsonObject ofSecret(boolean isRead, String body) {
        if (!isRead) {
            secret = newer(new JsonObject(body));
        }
        return secret;
    }

    private JsonObject ofWebhooks(boolean isRead, String body) {
        if (!isRead) {
            webhooks.put("webhooks", new JsonObject(body).getJsonArray("webhooks"));
            webhooks = newer(webhooks);
        }
        return webhooks;
    }

    private JsonObject newer(JsonObject object) {
        version++;
        object.getJsonObject("metadata").put("resourceVersion", Long.toString(version));
        return object;
    }

    private static JsonObject conflict() {
        return new JsonObject()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", "the object has been modified")
                .put("reason", "Conflict")
                .put("code", 409);
    }
}
