package dev.sluice.bus;

import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes a new certificate to the servers of this gateway that use it, and publishes the result. */
public record TlsBusPublisher(Vertx vertx, CertificateUse use) {

    private static final Logger LOG = LoggerFactory.getLogger(TlsBusPublisher.class);

    /** The name of the lock that prevents two changes of certificates at the same time. */
    private static final String ONE_AT_A_TIME = "tls.change";

    /**
     * Replaces the certificate of one server after the other, because Vert.x 5.0.12 cannot replace two at the same
     * time.
     */
    public Future<?> serve(ServerTls tls) {
        return vertx.sharedData().withLocalLock(ONE_AT_A_TIME, () -> switch (use) {
            case WEBHOOK ->
                changed(Service.SERVE_TLS.ask(vertx, tls))
                        .compose(_ -> changed(Service.MANAGEMENT_TLS.ask(vertx, tls)));
            case PEERS -> changed(Service.PEER_TLS.ask(vertx, tls));
        });
    }

    /**
     * Returns a future that completes when the server has changed its certificate. {@code reply} completes earlier:
     * when the server has begun the change.
     */
    private static Future<Boolean> changed(Future<Future<Boolean>> reply) {
        return reply.compose(change -> change);
    }

    /** Logs and publishes that the servers use this certificate now. */
    public void served(ActiveTlsMessage active) {
        switch (use) {
            case WEBHOOK -> Topic.TLS_ACTIVE.publish(vertx, active);
            case PEERS -> Topic.PEER_TLS_ACTIVE.publish(vertx, active);
        }
        LOG.atInfo()
                .addKeyValue("generation", active.generation())
                .addKeyValue("notAfter", active.notAfter())
                .addKeyValue(
                        "serial",
                        active.tls().identity().certificate().getSerialNumber().toString(16))
                .log(
                        switch (use) {
                            case WEBHOOK -> "a new certificate is served";
                            case PEERS -> "a new certificate is shown to other replicas";
                        });
    }

    /**
     * Publishes the result of an attempt to replace the certificate. Does nothing for the certificates that replicas
     * present to each other.
     */
    public void tell(TlsReloadMessage result) {
        if (use == CertificateUse.WEBHOOK) {
            Topic.TLS_RELOADS.publish(vertx, result);
        }
    }
}
