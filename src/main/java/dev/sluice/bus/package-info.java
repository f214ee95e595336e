/**
 * The topics and services of the event bus, the queues and publishers of their messages, the check that event loops
 * still answer, and the messages: requests for decisions, usage and records with their deadlines, messages and
 * documents from and to other replicas, and the states of the Lease, the watches, replication, the freshness and the
 * certificate. Verticles communicate in no other way.
 *
 * <p>Messages are immutable and passed by reference. No message leaves the process.
 */
@NullMarked
package dev.sluice.bus;

import org.jspecify.annotations.NullMarked;
