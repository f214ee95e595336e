package dev.sluice.record;

import dev.sluice.admission.request.Policy;
import java.time.Instant;

/**
 * The versions of the policy and of the cluster state that a decision used.
 *
 * @param enforcement whether the decision was carried out
 * @param policyGeneration the sequence number of the configuration
 * @param snapshotGeneration the number of the gateway's cluster snapshot. In availability mode, another verticle
 *     decides; the number is that of the snapshot before the gateway asked this verticle
 * @param provedAsOf the time until which all changes of nodes were known; {@link Instant#MIN} if the time is unknown,
 *     for example if the cluster is read from a file
 */
public record RecordedBasis(
        Policy.Mode mode,
        Policy.Enforcement enforcement,
        long policyGeneration,
        long snapshotGeneration,
        Instant provedAsOf) {}
