/** The observers of decisions, and the log of decisions. */
@NullMarked
package dev.sluice.record.observe;

import org.jspecify.annotations.NullMarked;
