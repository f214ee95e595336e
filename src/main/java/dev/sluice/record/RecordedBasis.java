package dev.sluice.record;

import dev.sluice.admission.request.Policy;
import java.time.Instant;

/**
 * The versions of the policy and of the cluster state that a decision used.
 *
 * @param enforcement whether the decision was carried out
 * @param policyGeneration the sequence number of the configuration
 * @param snapshotGeneration the number of the snapshot of the cluster. In availability mode another verticle decides,
 *     and this is the number of the snapshot that the gateway had before it asked that verticle
 * @param provedAsOf the time before which every change of a node was known; {@link Instant#MIN} if the time is unknown,
 *     for example if the cluster is read from a file
 */
public record RecordedBasis(
        Policy.Mode mode,
        Policy.Enforcement enforcement,
        long policyGeneration,
        long snapshotGeneration,
        Instant provedAsOf) {}
