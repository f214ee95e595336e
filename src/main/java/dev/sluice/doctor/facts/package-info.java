/**
 * The facts that a diagnosis reads, and their kinds: reduced copies of the nodes, pods with their demand and affinity,
 * owners, quotas, webhooks, events and DRA objects of a cluster at one point in time.
 */
@NullMarked
package dev.sluice.doctor.facts;

import org.jspecify.annotations.NullMarked;
