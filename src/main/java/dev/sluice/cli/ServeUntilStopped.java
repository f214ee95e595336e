package dev.sluice.cli;

import ch.qos.logback.classic.LoggerContext;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.ListenFailedException;
import dev.sluice.app.SluiceParts;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cluster.ClusterStateException;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a gateway until a signal ends the process. */
public final class ServeUntilStopped {

    private static final Logger LOG = LoggerFactory.getLogger(ServeUntilStopped.class);

    /**
     * The time limit for closing the gateway, in seconds. First, new connections are rejected for 1 s. Then reviews in
     * progress have 5 s. The kubelet would wait 30 s for the process to end.
     */
    private static final long CLOSE_SECONDS = 10;

    /**
     * If a signal arrives while the gateway starts, the shutdown waits until the start has ended, but at most this
     * number of seconds. A second signal ends the process at once.
     */
    private static final long START_SECONDS = 10;

    /**
     * Code that runs after the start of a gateway. It returns an exit code, or empty if the gateway continues to run.
     */
    public interface Work {
        OptionalInt with(AssembledGateway sluice) throws InterruptedException;
    }

    private ServeUntilStopped() {}

    /** Runs a gateway that stops without a drain. */
    public static int untilStopped(SluiceParts parts, Work work, PrintWriter err) {
        return untilStopped(parts, work, err, Duration.ZERO);
    }

    /** Runs a gateway and returns the exit code. If it cannot start, the reason is printed on one line. */
    public static int untilStopped(SluiceParts parts, Work work, PrintWriter err, Duration drain) {
        CompletableFuture<AssembledGateway> started = new CompletableFuture<>();
        Thread closing = new Thread(() -> drainAndClose(started, drain), "closing");
        ServeSecondSignal.endsAtOnce();
        // The hook is added before the start, because a signal may arrive while the gateway starts.
        Runtime.getRuntime().addShutdownHook(closing);
        try {
            AssembledGateway.start(parts).onSuccess(started::complete).onFailure(started::completeExceptionally);
            AssembledGateway sluice = started.get();
            OptionalInt exitCode = work.with(sluice);
            if (exitCode.isEmpty()) {
                // From here on only a signal ends the process. The shutdown hook then closes the gateway.
                new CountDownLatch(1).await();
            }
            close(sluice);
            var _ = Runtime.getRuntime().removeShutdownHook(closing);
            return exitCode.orElse(ExitCode.DONE);
        } catch (ExecutionException failed) {
            var _ = Runtime.getRuntime().removeShutdownHook(closing);
            err.println("sluice: " + sentence(failed.getCause() == null ? failed : failed.getCause()));
            return ExitCode.WRONG_USE;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.WRONG_USE;
        }
    }

    private static String sentence(Throwable cause) {
        return switch (cause) {
            case ClusterStateException problem -> String.valueOf(problem.getMessage());
            case ListenFailedException taken -> String.valueOf(taken.getMessage());
            default -> "cannot start: " + cause;
        };
    }

    private static void drainAndClose(CompletableFuture<AssembledGateway> started, Duration drain) {
        LOG.atInfo().addKeyValue("drainSeconds", drain.toSeconds()).log("stopping");
        try {
            AssembledGateway sluice = started.get(START_SECONDS, TimeUnit.SECONDS);
            finish(sluice.leave(drain), drain.toSeconds() + 1);
            close(sluice);
            LOG.info("stopped");
        } catch (ExecutionException | TimeoutException notStarted) {
            LOG.info("stopped before the start had ended");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        endLog();
    }

    private static void close(AssembledGateway sluice) {
        finish(sluice.close(), CLOSE_SECONDS);
    }

    private static void finish(Future<?> work, long seconds) {
        try {
            var _ = work.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException incomplete) {
            LOG.warn("some parts of the gateway were not closed in time", incomplete);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all log lines have been written, because a separate thread writes them. */
    public static void endLog() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext log) {
            log.stop();
        }
    }
}
