package dev.sluice.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.codec.Decoded;
import dev.sluice.codec.ListDecoder;
import dev.sluice.codec.Parsers;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks now and then for the version that the pods of the cluster have. A read without a resourceVersion sees everything
 * that was stored before it began. Blocks, so it has a thread of its own, and ends when that is interrupted.
 */
final class HorizonReads implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(HorizonReads.class);

    private final ApiServer server;
    private final Horizon horizon;
    private final InstantSource clock;
    private final Pace pace;
    private final ListDecoder<Object> decoder = new ListDecoder<>(HorizonReads::passOver);

    HorizonReads(ApiServer server, Horizon horizon, InstantSource clock, Pace pace) {
        this.server = server;
        this.horizon = horizon;
        this.clock = clock;
        this.pace = pace;
    }

    private static Decoded<Object> passOver(JsonParser parser) throws IOException {
        parser.skipChildren();
        return new Decoded.OtherKind<>("");
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(pace.betweenReads());
                read();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** What fails is tried again next time; that the API server is away, the reflector tells. */
    private void read() {
        long told = horizon.version();
        Instant begun = clock.instant();
        try (BodyStream body = server.get(Watched.Pods.PATH_AND_QUERY + "&limit=1", pace.answer());
                JsonParser parser = Parsers.json(body)) {
            long version = decoder.read(parser, _ -> {}).resourceVersion();
            // A server that is behind what it told us has lost its past, and has others to tell.
            if (version > 0 && version >= told) {
                horizon.read(begun, version);
            }
        } catch (IOException failed) {
            LOG.atDebug().setCause(failed).log("The version of the cluster could not be read");
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("A fault while reading the version of the cluster");
        }
    }
}
