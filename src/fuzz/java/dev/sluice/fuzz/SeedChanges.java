package dev.sluice.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes inputs of seeds, as a fuzzer does, but without looking at the code that reads them. */
final class SeedChanges {

    /** Longer inputs repeat what shorter ones show. */
    private static final int LONGEST = 4096;

    private static final int MOST_CHANGES = 4;

    private final List<byte[]> seeds;
    private final List<byte[]> words;
    private final Random random;

    SeedChanges(List<byte[]> seeds, Random random) throws IOException {
        this.seeds = seeds;
        this.random = random;
        this.words = Files.readAllLines(Path.of("src", "fuzz", "kubernetes.dict")).stream()
                .filter(line -> line.startsWith("\""))
                .map(line -> line.substring(1, line.length() - 1)
                        .replace("\\\"", "\"")
                        .replace("\\\\", "\\")
                        .replace("\\x0a", "\n")
                        .getBytes(UTF_8))
                .toList();
    }

    byte[] next() {
        byte[] input = any(seeds);
        input = Arrays.copyOf(input, Math.min(input.length, LONGEST));
        for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] changed(byte[] input) {
        int from = random.nextInt(input.length + 1);
        int to = Math.min(input.length, from + random.nextInt(64));
        byte[] between = switch (random.nextInt(5)) {
            case 0 -> new byte[0];
            case 1 -> randomBytes(to - from);
            case 2 -> any(words);
            case 3 -> part(input);
            default -> part(any(seeds));
        };
        // Half of the changes replace what is there, and half are put before it.
        return join(
                Arrays.copyOf(input, from),
                between,
                Arrays.copyOfRange(input, random.nextBoolean() ? to : from, input.length));
    }

    private byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] part(byte[] of) {
        int from = random.nextInt(of.length + 1);
        return Arrays.copyOfRange(of, from, Math.min(of.length, from + random.nextInt(256)));
    }

    private byte[] any(List<byte[]> some) {
        return some.get(random.nextInt(some.size()));
    }

    private static byte[] join(byte[] head, byte[] middle, byte[] tail) {
        byte[] joined = Arrays.copyOf(head, head.length + middle.length + tail.length);
        System.arraycopy(middle, 0, joined, head.length, middle.length);
        System.arraycopy(tail, 0, joined, head.length + middle.length, tail.length);
        return joined;
    }
}
