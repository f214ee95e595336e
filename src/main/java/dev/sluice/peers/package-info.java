/**
 * The port on which replicas talk to each other, and the connections to the ports of the other replicas: messages of
 * the replication protocol, forwarded reviews and recent decisions.
 */
@NullMarked
package dev.sluice.peers;

import org.jspecify.annotations.NullMarked;
