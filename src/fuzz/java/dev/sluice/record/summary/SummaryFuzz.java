package dev.sluice.record.summary;

import dev.sluice.fuzz.Frugal;
import dev.sluice.record.DecisionTally;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Whatever stands in the ConfigMap of the counts, it is refused as declared, or it is read, shown, and written again
 * without a loss.
 */
public final class SummaryFuzz {

    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private SummaryFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        Frugal.run(input.length, () -> {
            StoredCounts read;
            try {
                read = SummaryCodec.read(text, "7");
            } catch (IOException refused) {
                return;
            }
            StoredCounts again = SummaryCodec.read(SummaryCodec.write(read.counts(), read.writers()), "7");
            if (!again.counts().all().equals(read.counts().all())
                    || !again.writers().equals(read.writers())) {
                throw new AssertionError("the counts were written otherwise than they were read");
            }
            again.counts().summary(NOW.minus(DecisionTally.KEPT), NOW).rows().stream()
                    .flatMap(row -> row.counts().values().stream())
                    .filter(count -> count < 0)
                    .forEach(count -> {
                        throw new AssertionError("a sum is " + count);
                    });
        });
    }
}
