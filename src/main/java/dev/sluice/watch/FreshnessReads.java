package dev.sluice.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.Parsers;
import dev.sluice.kube.list.Decoded;
import dev.sluice.kube.list.ListDecoder;
import dev.sluice.kube.transport.ApiServer;
import dev.sluice.kube.transport.BodyStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks now and then for the version that the objects of one kind have. A read without a resourceVersion sees everything
 * that was stored before it began, and makes the API server's cache, out of which watches are served, catch up with it.
 * Blocks, so it has a thread of its own, and ends when that is interrupted.
 */
final class FreshnessReads implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(FreshnessReads.class);

    private final ApiServer server;
    private final Watched<?> kind;
    private final Runnable doubt;
    private final InstantSource clock;
    private final Pace pace;
    private final ListDecoder<Object> decoder = new ListDecoder<>(FreshnessReads::passOver);

    /** {@code doubt} is run when the API server has forgotten what it told. */
    FreshnessReads(ApiServer server, Watched<?> kind, Runnable doubt, Clocked clocked) {
        this.server = server;
        this.kind = kind;
        this.doubt = doubt;
        this.clock = clocked.clock();
        this.pace = clocked.pace();
    }

    /** How long, by which clock. */
    record Clocked(InstantSource clock, Pace pace) {}

    private static Decoded<Object> passOver(JsonParser parser) throws IOException {
        parser.skipChildren();
        return new Decoded.OtherKind<>("");
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(pace.proof().betweenReads());
                read();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** What fails is tried again next time; that the API server is away, the reflector tells. */
    private void read() {
        long told = kind.horizon().version();
        if (told == 0) {
            return;
        }
        Instant begun = clock.instant();
        try (BodyStream body = server.get(
                        kind.resource().pathAndQuery("limit=1"),
                        pace.patience().answer(),
                        pace.patience().answer());
                JsonParser parser = Parsers.json(body)) {
            long version = decoder.read(parser, _ -> {}).resourceVersion();
            if (version >= told) {
                kind.horizon().read(begun, version);
            } else if (version > 0) {
                // A server that is behind what it told us has lost its past, and has others to tell.
                doubt.run();
            }
        } catch (IOException failed) {
            LOG.atDebug().setCause(failed).log("The version of the cluster could not be read");
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("A fault while reading the version of the cluster");
        }
    }
}
