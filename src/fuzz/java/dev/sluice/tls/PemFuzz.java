package dev.sluice.tls;

import dev.sluice.fuzz.Frugal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A PEM file is read or refused by a sentence that does not hold what is in it. */
public final class PemFuzz {

    /** What may be asked of a file. */
    private interface Reading {
        Object read() throws PemFile.UnusableFileException;
    }

    private PemFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        PemFile file = new PemFile(Path.of("fuzz.pem"), new String(input, StandardCharsets.ISO_8859_1));
        Frugal.run(input.length, () -> {
            refusedInWords(file::certificates);
            refusedInWords(file::privateKey);
            refusedInWords(() -> file.withKey(file));
        });
    }

    private static void refusedInWords(Reading reading) {
        try {
            var _ = reading.read();
        } catch (PemFile.UnusableFileException refused) {
            if (!String.valueOf(refused.getMessage()).startsWith("fuzz.pem")) {
                throw new AssertionError("the message does not name the file", refused);
            }
        }
    }
}
