/**
 * The protocol by which all replicas share their reservations, as a deterministic state machine of one replica. It uses
 * no network, no clock and no API server: its owner passes messages, the time and the answers of the API server to it,
 * and carries out the actions that it returns.
 *
 * <p>One replica, the holder of the Lease, decides. It sends each decision to all replicas, and releases the answer
 * when every member of the in-sync set has acknowledged it. These members are the replicas that have all decisions. The
 * set is part of the Lease, so that the API server arbitrates between replicas. A member of the set takes over by one
 * conditional write, and needs no clock for that.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Each member of the in-sync set of the newest record has every decision whose answer was sent and whose pod may
 *       still appear.
 *   <li>The holder waits for the members of every record that may be in force.
 *   <li>No replica acknowledges an entry of a lower term than the highest term that it leads or has seen.
 *   <li>An answer is sent only while the lease is valid, and after the members of every record that may be in force
 *       have acknowledged the entry.
 *   <li>An entry whose answer was never sent may exist in any replica. Its devices stay reserved until it expires.
 * </ul>
 */
@NullMarked
package dev.sluice.replication;

import org.jspecify.annotations.NullMarked;
