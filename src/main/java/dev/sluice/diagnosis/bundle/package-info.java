/** What a GPU node says of itself, and what of that contradicts the cluster. */
@NullMarked
package dev.sluice.diagnosis.bundle;

import org.jspecify.annotations.NullMarked;
