/**
 * Requests that can never be satisfied: for hardware, profiles or claims that do not exist, or for more than any node
 * has.
 */
@NullMarked
package dev.sluice.diagnosis.impossible;

import org.jspecify.annotations.NullMarked;
