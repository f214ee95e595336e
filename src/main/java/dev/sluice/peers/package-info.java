/**
 * Lets replicas communicate: contains the port for other replicas, and the connections to their ports. They carry
 * messages of the replication protocol, forwarded reviews, and documents such as recent decisions.
 */
@NullMarked
package dev.sluice.peers;

import org.jspecify.annotations.NullMarked;
