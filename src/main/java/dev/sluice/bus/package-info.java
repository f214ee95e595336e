/**
 * Contains the topics and services of the event bus, and the messages on them: requests for decisions, usage and
 * records, and the states of the Lease, the watches, the freshness and the certificate. Verticles communicate only over
 * the event bus.
 *
 * <p>Messages are immutable and passed by reference. No message leaves the process.
 */
@NullMarked
package dev.sluice.bus;

import org.jspecify.annotations.NullMarked;
