package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the current resourceVersion of one kind of object every few seconds. A read without a resourceVersion returns
 * everything that was stored before the read began. It also makes the API server's watch cache catch up with etcd.
 *
 * <p>{@link #run()} blocks, so it needs a separate thread. It ends when that thread is interrupted.
 *
 * @param requestRelist a callback that is called if the API server has lost changes after it had sent them
 */
record WatchFreshnessReads(
        ApiServer server,
        WatchedResource<?> watched,
        Runnable requestRelist,
        InstantSource clock,
        ReflectorTimings timings)
        implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchFreshnessReads.class);
    private static final ListDecoder<Object> DECODER = new ListDecoder<>(WatchFreshnessReads::skip);

    private static ObjectDecodeResult<Object> skip(JsonParser parser) throws IOException {
        parser.skipChildren();
        return new ObjectDecodeResult.OtherKind<>("");
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(timings.freshness().readInterval());
                read();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Reads the resourceVersion once. A failure is not reported here, because the reflector reports that the API server
     * cannot be reached.
     */
    private void read() {
        long syncedVersion = watched.freshness().syncedVersion();
        if (syncedVersion == 0) {
            return;
        }
        Instant start = clock.instant();
        try (ApiServerBodyStream body = server.get(
                        watched.resource().pathAndQuery("limit=1"),
                        timings.timeouts().response(),
                        timings.timeouts().response());
                JsonParser parser = JsonParsers.json(body)) {
            long version = DECODER.read(parser, _ -> {}).resourceVersion();
            if (version >= syncedVersion) {
                watched.freshness().read(start, version);
            } else if (version > 0) {
                // If the API server returns an older resourceVersion than before, it was restored from a backup, and
                // its objects have to be listed again.
                requestRelist.run();
            }
        } catch (IOException failed) {
            LOG.atDebug().setCause(failed).log("the version of the cluster could not be read");
        } catch (RuntimeException fault) {
            LOG.atError()
                    .setCause(fault)
                    .log("failed to read the version of the cluster because of a fault of the gateway");
        }
    }
}
