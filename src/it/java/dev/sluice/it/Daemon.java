package dev.sluice.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program that runs until it is stopped, and may be started again with the same words. Has one owner. */
final class Daemon {

    private static final long POLITE_SECONDS = 15;

    private final Undertaker undertaker;
    private final String name;
    private final Path log;
    private final List<String> words;
    private final Map<String, String> environment;
    private @Nullable Process process;

    Daemon(Undertaker undertaker, Path log, List<String> words, Map<String, String> environment) {
        this.undertaker = undertaker;
        this.name = String.valueOf(log.getFileName());
        this.log = log;
        this.words = List.copyOf(words);
        this.environment = Map.copyOf(environment);
    }

    @SuppressWarnings("CheckReturnValue") // the builder returns itself
    void start() {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            Process started = builder.start();
            undertaker.watch(started);
            started.getOutputStream().close();
            process = started;
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** Fails with the end of the log when the program has ended, so that nobody waits for it in vain. */
    boolean runs() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException(name + " has ended: " + lastWords());
        }
        return true;
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Empty while it runs. */
    OptionalInt exitCode() {
        return process == null || process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    private String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path log() {
        return log;
    }

    long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " does not run");
        }
        return process.pid();
    }

    /** As a power cut would. */
    void kill() throws InterruptedException {
        end(0);
    }

    /** As a signal from its supervisor would, and by force if that is not enough. */
    void stop() throws InterruptedException {
        end(POLITE_SECONDS);
    }

    /**
     * Stops the program and the programs that it has started, which may outlive it by some moments and still write
     * files.
     */
    void stopWithDescendants() throws InterruptedException {
        List<ProcessHandle> descendants =
                process == null ? List.of() : process.descendants().toList();
        stop();
        for (ProcessHandle descendant : descendants) {
            var _ = descendant.destroyForcibly();
        }
        for (ProcessHandle descendant : descendants) {
            var _ = descendant.onExit().join();
        }
    }

    private void end(long politeSeconds) throws InterruptedException {
        Process running = process;
        if (running == null) {
            return;
        }
        if (politeSeconds > 0) {
            running.destroy();
        }
        if (politeSeconds == 0 || !running.waitFor(politeSeconds, TimeUnit.SECONDS)) {
            running.destroyForcibly();
            var _ = running.onExit().join();
        }
        process = null;
    }

    /** It stands still, and its connections stay open. */
    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    private void signal(String signal) {
        var _ = Command.in(Path.of("."), "/bin/kill", "-" + signal, Long.toString(pid()))
                .output();
    }
}
