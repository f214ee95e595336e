/**
 * Decides about pods without a gateway, as a gateway would: the review that the API server would send, and the answer
 * to it.
 */
@NullMarked
package dev.sluice.cli.offline;

import org.jspecify.annotations.NullMarked;
