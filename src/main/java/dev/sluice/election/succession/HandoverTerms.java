package dev.sluice.election.succession;

import java.time.Duration;

/**
 * When a holder hands the lease over to a newer revision.
 *
 * @param beat how often a successor says that it could decide
 * @param beats how often in a row it must have said so
 * @param silence after which a successor is believed to be gone
 * @param tenure for how long a holder keeps the lease before it hands it over
 * @param retry for how long a revision that gave the lease up again is not given it once more
 */
public record HandoverTerms(Duration beat, int beats, Duration silence, Duration tenure, Duration retry) {

    /**
     * Four beats of 3 s: a process that ends within its first 10 s of knowing the cluster is not believed. 10 s of
     * silence are three beats that failed. 60 s of tenure are the wait of 34 s, the second in which the Deployment ends
     * the pods of the old revision once the new holder is ready, and much to spare: a replica of the old revision that
     * is created meanwhile is gone before it can ask for the lease. 10 min are twice the longest pause that kubelet
     * makes before it starts a container again, so that a new revision that ends whenever it decides costs the cluster
     * one handover in a while, and not one at every start.
     */
    public static final HandoverTerms USUAL = new HandoverTerms(
            Duration.ofSeconds(3), 4, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMinutes(10));
}
