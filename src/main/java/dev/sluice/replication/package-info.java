/**
 * The protocol by which all replicas share their reservations, as a deterministic state machine of one replica. It
 * knows neither a network nor a clock nor the API server: its owner gives it messages, the time and the answers of the
 * API server, and does what it returns.
 *
 * <p>One replica, the holder of the Lease, decides. It sends each decision to all replicas, and releases the answer
 * when every member of the in-sync set has acknowledged it. The in-sync set is part of the Lease, so that the API
 * server arbitrates between replicas. A member of the set takes over by one conditional write, and needs no clock for
 * that.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Each member of the in-sync set of the newest record has every answered decision whose pod may still appear.
 *   <li>The holder waits for the members of every record that may be in force.
 *   <li>No replica acknowledges an entry of a term that is lower than one that it leads or has seen.
 *   <li>An answer is released only while the lease is valid and after all these members have acknowledged the entry.
 *   <li>An entry whose answer was never released may exist in any replica. It keeps its devices reserved until it
 *       expires.
 * </ul>
 */
@NullMarked
package dev.sluice.replication;

import org.jspecify.annotations.NullMarked;
