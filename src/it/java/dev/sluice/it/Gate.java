package dev.sluice.it;

import java.util.ArrayList;
import java.util.List;

/** Keeps what is to be done until enough of it has come, and then does it all. */
final class Gate {

    private final List<Runnable> waiting = new ArrayList<>();
    private int missing;

    Gate(int missing) {
        this.missing = missing;
    }

    void whenReached(Runnable action) {
        List<Runnable> due;
        synchronized (waiting) {
            missing--;
            waiting.add(action);
            if (missing > 0) {
                return;
            }
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(Runnable::run);
    }
}
