/** The doctor within a running gateway: it reads the cluster at a pace and publishes what is wrong with it. */
@NullMarked
package dev.sluice.diagnosis.verticle;

import org.jspecify.annotations.NullMarked;
