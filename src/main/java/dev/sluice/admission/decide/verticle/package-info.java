/**
 * The owner of the ledger. It applies cluster events, publishes snapshots, and makes the decisions that reserve, one
 * after another; the gateways make those that only read.
 */
@NullMarked
package dev.sluice.admission.decide.verticle;

import org.jspecify.annotations.NullMarked;
