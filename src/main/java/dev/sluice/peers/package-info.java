/**
 * The communication between replicas: the port for other replicas, and the connections to their ports. Replicas
 * exchange messages of the replication protocol, forwarded reviews, and documents such as recent decisions.
 */
@NullMarked
package dev.sluice.peers;

import org.jspecify.annotations.NullMarked;
