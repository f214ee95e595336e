package dev.sluice.cli.doctor;

import dev.sluice.doctor.facts.FactKind;
import dev.sluice.kube.facts.ListProgress;
import dev.sluice.text.ShortText;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One line on a terminal that tells how far the lists are, and goes when they are through. */
final class ListingLine implements ListProgress {

    /** The launcher sets it where standard error is a terminal, which Java cannot see by itself. */
    private static final String ON_TERMINAL = "sluice.stderr.terminal";

    private static final String ERASE = "\r\u001b[K";
    private static final int COLUMNS = 79;

    /** Null where nobody would see it. */
    private final @Nullable PrintWriter terminal;

    private final Map<FactKind, Integer> counts = new EnumMap<>(FactKind.class);

    ListingLine(@Nullable PrintWriter terminal) {
        this.terminal = terminal;
    }

    static ListingLine on(PrintWriter err) {
        return new ListingLine(Boolean.getBoolean(ON_TERMINAL) ? err : null);
    }

    @Override
    public synchronized void read(FactKind kind, int objects) {
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
