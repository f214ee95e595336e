package dev.sluice.watch;

import java.time.Duration;

/**
 * How long the reflector waits for what.
 *
 * @param answer for the first byte of an answer, and between two pieces of a list
 * @param silence for the next event or bookmark of a watch
 * @param watch how long the server is asked to keep one watch up
 * @param shortestPause before the first repetition of something that failed; doubled each time
 * @param longestPause what the doubling ends at
 * @param betweenReads how often it is asked what the newest version is
 */
record Pace(
        Duration answer,
        Duration silence,
        Duration watch,
        Duration shortestPause,
        Duration longestPause,
        Duration betweenReads) {

    /**
     * The API server itself gives up a list after 60 s, and sends a bookmark about once a minute: after two and a half
     * minutes two have failed to come. Watches are renewed every five minutes, as client-go does, so that load spreads
     * over API servers that come and go. The longest pause keeps a gateway at most a second behind a server that is
     * back; a few replicas that knock once a second disturb nobody. What reads of the version are for is counted in
     * tens of seconds.
     */
    static final Pace USUAL = new Pace(
            Duration.ofSeconds(60),
            Duration.ofSeconds(150),
            Duration.ofMinutes(5),
            Duration.ofMillis(250),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10));
}
