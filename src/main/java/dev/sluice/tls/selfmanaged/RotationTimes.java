package dev.sluice.tls.selfmanaged;

import java.time.Duration;
import java.time.Instant;

/**
 * The configured lifetimes of authorities and of server certificates. An authority must live at least twice as long as
 * a certificate, so that clients trust the next authority before the current one expires.
 */
public record RotationTimes(Duration certificateLifetime, Duration authorityLifetime) {

    public static final Duration SHORTEST = Duration.ofSeconds(12);

    private static final Duration LONGEST_SETTLING = Duration.ofMinutes(1);
    private static final int SETTLING_PART = 12;
    private static final int SKEW_PART = 4;

    /** Throws IllegalArgumentException with a sentence for the user if one of the lifetimes is too short. */
    public RotationTimes {
        if (certificateLifetime.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "the lifetime of the certificate is below " + SHORTEST.toSeconds() + " s");
        }
        if (authorityLifetime.compareTo(certificateLifetime.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("the lifetime of the authority is less than twice the certificate's");
        }
    }

    /**
     * Returns how long an authority must be in the caBundle before the gateway assumes that all API servers trust it.
     * API servers watch the webhook configuration and usually notice a change within milliseconds, but a busy API
     * server may need up to a minute.
     */
    Duration settling() {
        return shorter(LONGEST_SETTLING, certificateLifetime.dividedBy(SETTLING_PART));
    }

    /**
     * Returns the time after which all certificates of the previous authority have expired.
     *
     * @param signer the lifetime of the current authority; since its begin, the previous authority has signed no
     *     certificate
     */
    Instant lastOfEarlier(RotationLifespan signer) {
        return signer.begin()
                .plus(certificateLifetime)
                .plus(shorter(RotationLifespan.CLOCK_SKEW, certificateLifetime.dividedBy(SKEW_PART)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
