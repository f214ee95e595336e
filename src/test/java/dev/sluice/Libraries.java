package dev.sluice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The list of what ships beside Sluice's own classes, in the form of {@code sha256sum}. */
final class Libraries {

    static final String HOW_TO_RENEW = "src/main/assembly/libraries.sha256; to renew it after a change that is wanted:"
            + " see 'Libraries' in src/docs/CONTRIBUTING.md";

    private static final Path PINNED = Path.of("src", "main", "assembly", "libraries.sha256");

    private Libraries() {}

    /** By file name, the checksum. */
    static Map<String, String> pinned() throws IOException {
        Map<String, String> pinned = new TreeMap<>();
        for (String line : Files.readAllLines(PINNED)) {
            String[] parts = line.split(" [ *]", 2);
            pinned.put(parts[1], parts[0]);
        }
        return pinned;
    }

    static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
