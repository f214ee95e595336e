/** The doctor within a running gateway: it reads the cluster at a pace and publishes what is wrong with it. */
@NullMarked
package dev.sluice.diagnosing;

import org.jspecify.annotations.NullMarked;
