package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.fuzz.Frugal;
import dev.sluice.json.ItemCutter;
import dev.sluice.json.SnapshotText;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * What is quickly read of a List is what is carefully read of it, and nothing is quickly read that is otherwise
 * refused. The first byte moves the place where one bundle of items ends and another one begins.
 */
public final class QuickListFuzz {

    private QuickListFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] text = widened(Arrays.copyOfRange(input, 1, input.length), input[0] & 0xff);
        Frugal.run(text.length, () -> {
            Optional<ClusterFacts> quick = quickly(text);
            Optional<ClusterFacts> careful = carefully(text);
            if (quick.isPresent() && !quick.equals(careful)) {
                throw new AssertionError("quickly: " + quick + "; carefully: " + careful);
            }
        });
    }

    /** The first tab becomes as many blanks as bring the end of a bundle to {@code after} bytes behind them. */
    private static byte[] widened(byte[] text, int after) {
        int tab = 0;
        while (tab < text.length && text[tab] != '\t') {
            tab++;
        }
        if (tab == text.length) {
            return text;
        }
        int left = text.length - tab - 1;
        byte[] wide = new byte[ItemCutter.BUNDLE - after + left];
        Arrays.fill(wide, (byte) ' ');
        System.arraycopy(text, 0, wide, 0, tab);
        System.arraycopy(text, tab + 1, wide, wide.length - left, left);
        return wide;
    }

    private static Optional<ClusterFacts> quickly(byte[] text) {
        try {
            return Optional.of(QuickList.read(new ByteArrayInputStream(text)).facts());
        } catch (IOException | SourceProblem left) {
            return Optional.empty();
        }
    }

    private static Optional<ClusterFacts> carefully(byte[] text) {
        try {
            return Optional.of(readCarefully(text));
        } catch (IOException | SourceProblem refused) {
            return Optional.empty();
        }
    }

    /** As files are read that are no plain JSON. */
    static ClusterFacts readCarefully(byte[] text) throws IOException, SourceProblem {
        FactsCollector collector = new FactsCollector();
        try (JsonParser parser =
                SnapshotText.parser(new BufferedInputStream(new ByteArrayInputStream(text), SnapshotText.BUFFER))) {
            new ListReader(collector).read(parser);
        }
        return collector.facts();
    }
}
