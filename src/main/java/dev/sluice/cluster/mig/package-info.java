/**
 * The MIG profiles of GPU models: the grammar of their names and a table for each model. They are used for hints and
 * warnings; what a node offers is read from the node alone.
 */
@NullMarked
package dev.sluice.cluster.mig;

import org.jspecify.annotations.NullMarked;
