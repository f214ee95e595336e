package dev.sluice.kube.facts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Remembers the newest of the times that it sees. */
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

    /** Times of the same length in UTC are ordered as texts, which is a fifth of the work of parsing each. */
    private boolean isOlder(String text) {
        return text.length() == newestText.length()
                && text.endsWith("Z")
                && newestText.endsWith("Z")
                && text.compareTo(newestText) <= 0;
    }
}
