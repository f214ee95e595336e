/**
 * The records that a diagnosis reads: reduced copies of the nodes, pods, owners, quotas, events and DRA objects of a
 * cluster at one point in time.
 */
@NullMarked
package dev.sluice.doctor.facts;

import org.jspecify.annotations.NullMarked;
