/**
 * Contains the topics and services of the event bus, and their messages: requests for decisions, usage and records, and
 * reports on the Lease, the watches, the certificates and how current the known cluster is. Verticles communicate only
 * over the event bus.
 *
 * <p>Messages are immutable and passed by reference. No message leaves the process.
 */
@NullMarked
package dev.sluice.bus;

import org.jspecify.annotations.NullMarked;
