/** The composition of the gateway from its verticles, and the warm-up that runs before the first review. */
@NullMarked
package dev.sluice.app;

import org.jspecify.annotations.NullMarked;
