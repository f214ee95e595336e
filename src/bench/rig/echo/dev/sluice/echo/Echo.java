package dev.sluice.echo;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;

/** Reads each body whole and answers one constant, valid AdmissionReview: the limit of the stack, not a webhook. */
public final class Echo extends VerticleBase {

    private static final Buffer ANSWER = Buffer.buffer("""
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{\
            "uid":"00000000-0000-4000-8000-000000000000","allowed":true}}""");

    private final String certificate;
    private final String key;
    private final int port;

    private Echo(String certificate, String key, int port) {
        this.certificate = certificate;
        this.key = key;
        this.port = port;
    }

    @Override
    public Future<HttpServer> start() {
        return vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setUseAlpn(false)
                        .setIdleTimeout(0)
                        .setSslEngineOptions(new OpenSSLEngineOptions())
                        .setKeyCertOptions(
                                new PemKeyCertOptions().setCertPath(certificate).setKeyPath(key)))
                .requestHandler(request -> request.body().onSuccess(_ -> {
                    var _ = request.response()
                            .putHeader("content-type", "application/json")
                            .end(ANSWER);
                }))
                .listen(port, "127.0.0.1");
    }

    /** With the files of the certificate and its key, and the port; there is one event loop for each CPU. */
    public static void main(String[] arguments) {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
        var _ = vertx.deployVerticle(
                        () -> new Echo(arguments[0], arguments[1], Integer.parseInt(arguments[2])),
                        new DeploymentOptions().setInstances(loops))
                .onFailure(failure -> {
                    System.err.println("echo: " + failure);
                    System.exit(1);
                });
    }
}
