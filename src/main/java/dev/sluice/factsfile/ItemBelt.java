package dev.sluice.factsfile;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Has a second thread do the work for each object while the first one parses the next, in their order, which nearly
 * halves the time on two cores. It is filled by one thread, and closed before that thread uses the results.
 */
final class ItemBelt implements AutoCloseable {

    /** Objects of some KiB each, of 3 MiB at most; no more than two bundles are held. */
    private static final int BUNDLE = 32;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();
    private List<Runnable> bundle = new ArrayList<>();
    private Future<?> underWay = counting.submit(() -> {});

    void add(Runnable work) {
        bundle.add(work);
        if (bundle.size() == BUNDLE) {
            pass();
        }
    }

    /** Waits until the bundle before this one is counted. */
    private void pass() {
        settle();
        List<Runnable> full = bundle;
        bundle = new ArrayList<>();
        underWay = counting.submit(() -> full.forEach(Runnable::run));
    }

    private void settle() {
        try {
            underWay.get();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the reading of a file was interrupted", stopped);
        } catch (ExecutionException fault) {
            throw new IllegalStateException("an object could not be counted", fault.getCause());
        }
    }

    /** Afterwards all objects are counted. */
    @Override
    public void close() {
        try {
            pass();
            settle();
        } finally {
            counting.shutdownNow();
        }
    }
}
