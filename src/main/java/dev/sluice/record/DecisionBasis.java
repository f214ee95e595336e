package dev.sluice.record;

import dev.sluice.admission.request.Policy;
import java.time.Instant;

/**
 * What a decision was made by.
 *
 * @param policyGeneration which reading of the configuration
 * @param snapshotGeneration which state of the cluster; in availability mode, the one that the gateway knew when it
 *     asked
 * @param provedAsOf every change of a node that was stored before this moment was known; {@link Instant#MIN} if nothing
 *     was proved, as for a cluster in a file
 */
public record DecisionBasis(Policy.Mode mode, long policyGeneration, long snapshotGeneration, Instant provedAsOf) {}
