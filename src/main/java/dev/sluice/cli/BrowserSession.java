package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admits one browser, which sends a code and gets a secret in return. The code is valid once and for a short time. If
 * the code is sent a second time, another program knows it. The session then ends and admits no browser any more. This
 * class is not thread-safe.
 */
final class BrowserSession {

    /** The time for which the code is valid. It is long enough for a browser to start. */
    static final Duration CODE_VALID = Duration.ofMinutes(2);

    private static final int SECRET_BYTES = 32;

    private enum BrowserAdmission {
        WAITING,
        OPEN,
        /** The code was sent twice. */
        BETRAYED
    }

    private final InstantSource clock;
    private final Instant begin;
    private final String code = secret();
    private final String secret = secret();
    private BrowserAdmission state = BrowserAdmission.WAITING;

    BrowserSession(InstantSource clock) {
        this.clock = clock;
        this.begin = clock.instant();
    }

    private static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    String code() {
        return code;
    }

    /** Returns the secret for this code. Returns empty if the code is wrong, has expired, or was sent before. */
    Optional<String> open(@Nullable String shown) {
        if (!isEqual(code, shown)) {
            return Optional.empty();
        }
        boolean isValid = state == BrowserAdmission.WAITING && clock.instant().isBefore(begin.plus(CODE_VALID));
        state = state == BrowserAdmission.WAITING
                ? (isValid ? BrowserAdmission.OPEN : state)
                : BrowserAdmission.BETRAYED;
        return isValid ? Optional.of(secret) : Optional.empty();
    }

    boolean isBetrayed() {
        return state == BrowserAdmission.BETRAYED;
    }

    boolean admits(@Nullable String shown) {
        return state == BrowserAdmission.OPEN && isEqual(secret, shown);
    }

    /** Compares two texts in constant time, so that the duration does not reveal how many characters are equal. */
    private static boolean isEqual(String expected, @Nullable String shown) {
        return shown != null && MessageDigest.isEqual(expected.getBytes(US_ASCII), shown.getBytes(US_ASCII));
    }
}
