/** The last decisions, as one owner keeps them, and what is asked of them. */
@NullMarked
package dev.sluice.record.history;

import org.jspecify.annotations.NullMarked;
