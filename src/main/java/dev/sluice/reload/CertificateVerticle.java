package dev.sluice.reload;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.TlsBusPublisher;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.TlsReloadMessage.ReloadResult;
import dev.sluice.files.FileWatcher;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a new certificate when the TLS files have changed and their content is valid. While the content is not
 * valid, the gateway serves the last valid certificate.
 */
public final class CertificateVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateVerticle.class);

    /**
     * The number of polls after which rejected files are read again, even if they have not changed. A certificate whose
     * validity begins later becomes valid without a change of its file.
     */
    private static final int POLLS_BETWEEN_RETRIES = 30;

    private final ReloadedTlsFiles source;
    private final InstantSource clock;
    private final FileWatcher<TlsReading, RuntimeException> watcher;
    private ActiveTlsMessage active;
    /** The problems of the TLS files. The list is empty while the files can be used. */
    private List<String> problems = List.of();

    private int polls;
    private boolean known;
    private boolean stopped;

    public CertificateVerticle(ReloadedTlsFiles source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
        this.active = source.first();
        this.watcher = new FileWatcher<>(source::paths, this::readFiles, FileWatcher.SettlingRule.AS_ONE);
    }

    @Override
    public Future<?> start() {
        schedulePoll();
        return Future.succeededFuture();
    }

    private void schedulePoll() {
        if (!stopped) {
            vertx.setTimer(
                    watcher.pause(source.pollInterval()).toMillis(),
                    _ -> vertx.executeBlocking(this::poll).onComplete(this::polled));
        }
    }

    private FileWatcher.Poll<TlsReading> poll() {
        FileWatcher.Poll<TlsReading> poll = watcher.poll();
        return poll instanceof FileWatcher.Poll.Unchanged && isRetryDue() ? retry(poll) : poll;
    }

    private TlsReading readFiles() {
        return source.read(active.tls(), clock.instant());
    }

    /**
     * Reads the rejected files again. If they are rejected for the same reasons as before, returns {@code unchanged}.
     */
    private FileWatcher.Poll<TlsReading> retry(FileWatcher.Poll<TlsReading> unchanged) {
        TlsReading again = readFiles();
        return again instanceof TlsReading.UnusableTls refused
                        && refused.problems().equals(problems)
                ? unchanged
                : new FileWatcher.Poll.Changed<>(again);
    }

    /**
     * Counts a poll, and returns true if the files have to be read again although they have not changed. Polls never
     * overlap, so this needs no lock.
     */
    private boolean isRetryDue() {
        polls++;
        return !problems.isEmpty() && polls % POLLS_BETWEEN_RETRIES == 0;
    }

    private void polled(AsyncResult<FileWatcher.Poll<TlsReading>> result) {
        Future<?> handled = Future.succeededFuture();
        if (result.failed()) {
            refuse(List.of(String.valueOf(result.cause())));
        } else if (result.result() instanceof FileWatcher.Poll.Changed<TlsReading>(var reading)) {
            handled = read(reading);
            known = true;
        }
        handled.onComplete(_ -> schedulePoll());
    }

    private Future<?> read(TlsReading reading) {
        return switch (reading) {
            case TlsReading.UnusableTls refused -> {
                refuse(refused.problems());
                yield Future.succeededFuture();
            }
            case TlsReading.Usable usable
            when usable.tls().equals(active.tls()) -> {
                unchanged();
                yield Future.succeededFuture();
            }
            case TlsReading.Usable usable -> {
                usable.warnings().forEach(warning -> LOG.warn("{}", warning));
                yield serve(usable.tls());
            }
        };
    }

    /**
     * Publishes the new certificate. The returned future completes when the servers use the certificate. The next poll
     * starts only after that, so two changes never overlap.
     */
    private Future<?> serve(ServerTls tls) {
        return vertx.executeBlocking(() -> source.next(active, tls, clock.instant()))
                .compose(next -> audience().serve(tls).map(next))
                .onSuccess(this::served)
                .onFailure(fault -> refuse(List.of("the engine in tls.engine did not accept them: " + fault)));
    }

    private void served(ActiveTlsMessage next) {
        active = next;
        problems = List.of();
        audience().served(next);
        tell(ReloadResult.SERVED);
    }

    private TlsBusPublisher audience() {
        return new TlsBusPublisher(vertx, source.files().use());
    }

    /**
     * Handles files with the certificate that is already in use. The first poll usually finds the files that were read
     * at the start. It is not reported as a reload.
     */
    private void unchanged() {
        boolean repaired = !problems.isEmpty();
        problems = List.of();
        if (known || repaired) {
            tell(ReloadResult.UNCHANGED);
        }
        if (repaired) {
            LOG.info("the certificate files can be used again; they contain the certificate that is served");
        }
    }

    private void tell(ReloadResult result) {
        audience().tell(new TlsReloadMessage(result, problems));
    }

    private void refuse(List<String> reasons) {
        problems = reasons;
        LOG.atWarn()
                .addKeyValue("problem", String.join("; ", reasons))
                .addKeyValue("servedUntil", active.notAfter())
                .log("the changed certificate files cannot be used; serving the former certificate");
        tell(ReloadResult.REFUSED);
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }
}
