package dev.sluice.tls.selfmanaged;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.TlsBusPublisher;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.TlsReloadMessage.ReloadResult;
import dev.sluice.tls.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes each new certificate to the servers of this replica, also if another replica has created the certificate. A
 * separate thread runs the {@link RotationLoop}, because it blocks.
 */
public final class SelfManagedVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(SelfManagedVerticle.class);

    private final SelfManagedTls source;
    private final InstantSource clock;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private ActiveTlsMessage active;
    private @Nullable RotationLoop loop;
    private @Nullable Thread thread;

    public SelfManagedVerticle(SelfManagedTls source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
        this.active = source.first();
    }

    @Override
    public Future<?> start() {
        RotationLoop begun = new RotationLoop(source, new OnContext());
        loop = begun;
        thread = Thread.ofPlatform().daemon().name("certificates").start(() -> {
            try {
                begun.run();
            } finally {
                ended.complete(null);
            }
        });
        return Future.succeededFuture();
    }

    /** Receives calls on the thread of the {@link RotationLoop}, and executes them on the context of the verticle. */
    private final class OnContext implements RotationLoop.Server {

        @Override
        public void serve(ServerTls tls, X509Certificate authority) throws InterruptedException {
            CompletableFuture<Void> done = new CompletableFuture<>();
            context.runOnContext(_ -> serveNext(tls, authority, done));
            RotationWait.until(done);
        }

        @Override
        public void report(List<String> problems) {
            context.runOnContext(_ -> tell(problems));
        }
    }

    private void serveNext(ServerTls tls, X509Certificate authority, CompletableFuture<Void> done) {
        audience()
                .serve(tls)
                .onSuccess(_ -> {
                    served(tls, authority);
                    done.complete(null);
                })
                .onFailure(done::completeExceptionally);
    }

    private void served(ServerTls tls, X509Certificate authority) {
        active = new ActiveTlsMessage(tls, List.of(authority), clock.instant(), active.generation() + 1);
        audience().served(active);
        audience().tell(new TlsReloadMessage(ReloadResult.SERVED, List.of()));
    }

    private TlsBusPublisher audience() {
        return new TlsBusPublisher(vertx, source.use());
    }

    private void tell(List<String> problems) {
        if (problems.isEmpty()) {
            LOG.info("certificate rotation succeeded again");
            audience().tell(new TlsReloadMessage(ReloadResult.UNCHANGED, problems));
        } else {
            LOG.atWarn()
                    .addKeyValue("problem", String.join("; ", problems))
                    .addKeyValue("servedUntil", active.notAfter())
                    .log("certificate rotation failed; serving the old certificate");
            audience().tell(new TlsReloadMessage(ReloadResult.REFUSED, problems));
        }
    }

    @Override
    public Future<?> stop() {
        if (loop == null || thread == null) {
            return Future.succeededFuture();
        }
        loop.stop();
        thread.interrupt();
        return Future.fromCompletionStage(ended, context);
    }
}
