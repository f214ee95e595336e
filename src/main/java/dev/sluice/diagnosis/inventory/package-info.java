/**
 * What the GPU nodes of a cluster are made of: models, drivers, MIG instances, sharing and the software that serves.
 */
@NullMarked
package dev.sluice.diagnosis.inventory;

import org.jspecify.annotations.NullMarked;
