package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Ends what this JVM started when the JVM is gone, however it went. A shell reads from a pipe whose other end only this
 * JVM holds: when the JVM ends, also by SIGKILL, the kernel closes that end, the shell's read returns, and it kills the
 * processes that it was told of and not told to forget. (A shutdown hook does not run on SIGKILL, and a child learns
 * nothing of its parent's death by itself.) Only process ids are used, and only those of our own children.
 */
final class Undertaker {

    /** Signals from a terminal reach the whole group; this one must outlive the others. */
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            living=
            while read -r what pid; do
                case $what in
                    born) living="$living $pid" ;;
                    gone)
                        rest=
                        for each in $living; do [ "$each" = "$pid" ] || rest="$rest $each"; done
                        living=$rest
                        ;;
                esac
            done
            [ -z "$living" ] || kill -KILL $living
            """;

    private final Process shell;
    private final OutputStream pipe;

    Undertaker() {
        try {
            shell = new ProcessBuilder("/bin/sh", "-c", SCRIPT)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pipe = shell.getOutputStream();
    }

    void watch(Process process) {
        tell("born " + process.pid());
        var _ = process.onExit().thenAccept(ended -> tell("gone " + ended.pid()));
    }

    private synchronized void tell(String line) {
        try {
            pipe.write((line + "\n").getBytes(UTF_8));
            pipe.flush();
        } catch (IOException closed) {
            // It has ended, and so has everything that it watched.
        }
    }

    /** Everything it still knows of ends now. */
    void finish() throws IOException {
        pipe.close();
        var _ = shell.onExit().join();
    }
}
