/** The numbers of the JVM and of the process that it runs in. */
@NullMarked
package dev.sluice.metrics.jvm;

import org.jspecify.annotations.NullMarked;
