package dev.sluice.kube.facts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Keeps the newest of the times that it is given. */
final class NewestTime {

    private @Nullable Instant newest;
    private String newestText = "";

    @Nullable
    Instant instant() {
        return newest;
    }

    void see(TimeText time) {
        if (isOlder(time.text())) {
            return;
        }
        Instant instant = time.instant();
        if (instant != null && (newest == null || instant.isAfter(newest))) {
            newest = instant;
            newestText = time.text();
        }
    }

    void seeAll(NewestTime others) {
        if (others.newest != null) {
            see(new TimeText(others.newestText));
        }
    }

    /**
     * Returns true if this time is not newer than the newest. Only times in UTC with the same length are compared as
     * texts, which takes a fifth of the time of parsing.
     */
    private boolean isOlder(String text) {
        return text.length() == newestText.length()
                && text.endsWith("Z")
                && newestText.endsWith("Z")
                && text.compareTo(newestText) <= 0;
    }
}
