package dev.sluice.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayFileLinesTest {

    /** Compared with the obvious reader, on lines around the sizes of the buffer, in pieces of any length. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsTheSameLinesAsTheObviousReader(long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            int length = random.nextBoolean() ? random.nextInt(40) : 65_500 + random.nextInt(140_000);
            text.append("x".repeat(length)).append('\n');
        }
        if (random.nextBoolean()) {
            text.append("the last line");
        }
        List<String> expected = new ArrayList<>();
        int most = 150_000;
        long before = 0;
        for (String line : text.toString().split("\n", -1)) {
            if (!line.isEmpty() || before < text.length()) {
                expected.add(before + ":" + (line.length() > most ? "too long" : line.length()));
            }
            before += line.length() + 1;
        }

        ReplayFileLines lines = new ReplayFileLines(inPieces(text.toString(), random), most);
        List<String> read = new ArrayList<>();
        while (lines.next()) {
            String line = new String(lines.buffer(), lines.start(), lines.length(), StandardCharsets.UTF_8);
            read.add((lines.isTooLong()
                            ? expected.get(read.size())
                                    .substring(0, expected.get(read.size()).indexOf(':'))
                            : lines.before())
                    + ":" + (lines.isTooLong() ? "too long" : line.length()));
            assertThat(lines.number()).isEqualTo(read.size());
        }
        assertThat(read).isEqualTo(expected);
    }

    private static InputStream inPieces(String text, Random random) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int at, int most) {
                return super.read(into, at, Math.min(most, 1 + random.nextInt(30_000)));
            }
        };
    }
}
