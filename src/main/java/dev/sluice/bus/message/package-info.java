/** The messages on the event bus. */
@NullMarked
package dev.sluice.bus.message;

import org.jspecify.annotations.NullMarked;
