package dev.sluice.cli.doctor;

import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.kube.facts.FactListProgress;
import dev.sluice.text.ShortText;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of the list requests to the API server on one line of the terminal. The line is erased when all
 * lists are complete.
 */
final class DoctorProgressLine implements FactListProgress {

    /** The system property that the launcher sets if standard error is a terminal. Java itself does not report that. */
    private static final String ON_TERMINAL = "sluice.stderr.terminal";

    private static final String ERASE = "\r\u001b[K";
    private static final int COLUMNS = 79;

    /** The terminal. It is null if standard error is not a terminal, and then nothing is printed. */
    private final @Nullable PrintWriter terminal;

    private final Map<ClusterFactKind, Integer> counts = new EnumMap<>(ClusterFactKind.class);

    DoctorProgressLine(@Nullable PrintWriter terminal) {
        this.terminal = terminal;
    }

    static DoctorProgressLine on(PrintWriter err) {
        return new DoctorProgressLine(Boolean.getBoolean(ON_TERMINAL) ? err : null);
    }

    @Override
    public synchronized void read(ClusterFactKind kind, int objects) {
        counts.put(kind, objects);
        show();
    }

    private void show() {
        if (terminal != null) {
            String text = counts.entrySet().stream()
                    .map(count -> count.getValue() + " " + count.getKey().plural())
                    .collect(Collectors.joining(", ", "Read ", ""));
            terminal.print(ERASE + ShortText.of(text, COLUMNS));
            terminal.flush();
        }
    }

    synchronized void clear() {
        counts.clear();
        if (terminal != null) {
            terminal.print(ERASE);
            terminal.flush();
        }
    }
}
