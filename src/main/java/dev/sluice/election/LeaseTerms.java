package dev.sluice.election;

import java.time.Duration;

/**
 * How long a lease is, and how it is kept.
 *
 * @param length for how long others keep off, counted from when they see a renewal; written into the lease
 * @param deciding for how long the holder decides, counted from before it asks for a renewal; less than {@code length}
 * @param pause between two attempts to renew or to take the lease
 * @param answer how long the API server may take for one answer
 */
public record LeaseTerms(Duration length, Duration deciding, Duration pause, Duration answer) {

    /**
     * A holder that changes costs a wait of 34 s and more (decision 7), so the lease is rather too long than too short:
     * 15 s, and 10 s of deciding, as the control plane's own components have it. Clocks whose speeds differ by less
     * than a half (15/10) cannot make two holders. Within the 10 s two calls that hang until they are given up (1 + 3 s
     * each) leave time for a third one. The pause of a second is how late a released lease is found; one read and one
     * write a second for each gateway is nothing to an API server.
     */
    public static final LeaseTerms USUAL = new LeaseTerms(
            Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));

    public LeaseTerms {
        if (deciding.compareTo(length) >= 0) {
            throw new IllegalArgumentException("a holder must stop deciding before others may take over");
        }
    }
}
