package dev.sluice.record;

import dev.sluice.admission.request.Policy;
import java.time.Instant;

/**
 * The state of the policy and the cluster that a decision was based on.
 *
 * @param policyGeneration the number of the configuration that was read
 * @param snapshotGeneration the number of the snapshot; in availability mode, the one that the gateway knew when it
 *     asked the owner of the ledger
 * @param provedAsOf the moment before which every change of a node was known; {@link Instant#MIN} if nothing is known
 *     about that, as for a cluster from a file
 */
public record DecisionBasis(Policy.Mode mode, long policyGeneration, long snapshotGeneration, Instant provedAsOf) {}
