package dev.sluice.cli.offline;

import dev.sluice.text.CountText;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Shows on one line of the terminal how much was read, and erases the line at the end. */
final class ReplayProgress {

    /** The system property that the launcher sets if standard error is a terminal. Java itself does not report that. */
    private static final String ON_TERMINAL = "sluice.stderr.terminal";

    private static final String ERASE = "\r\u001b[K";
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The terminal. It is null if standard error is not a terminal, and then nothing is printed. */
    private final @Nullable PrintWriter terminal;

    private long shownAt = System.nanoTime();
    private long ofFilesBefore;
    private long ofThisFile;
    private long pods;
    private boolean isShown;

    ReplayProgress(PrintWriter err) {
        this.terminal = Boolean.getBoolean(ON_TERMINAL) ? err : null;
    }

    /** @param read the number of bytes of this file that were read */
    void bytes(long read) {
        ofFilesBefore += read < ofThisFile ? ofThisFile : 0;
        ofThisFile = read;
        show();
    }

    void pod() {
        pods++;
        show();
    }

    private void show() {
        if (terminal == null || System.nanoTime() - shownAt < PAUSE_NANOS) {
            return;
        }
        shownAt = System.nanoTime();
        isShown = true;
        long mebibytes = (ofFilesBefore + ofThisFile) >> 20;
        terminal.print(
                ERASE + "Read " + (pods > 0 ? CountText.of(pods, "object") : CountText.number(mebibytes) + " MiB"));
        terminal.flush();
    }

    void clear() {
        if (terminal != null && isShown) {
            isShown = false;
            terminal.print(ERASE);
            terminal.flush();
        }
    }
}
