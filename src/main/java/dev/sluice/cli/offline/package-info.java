/**
 * Decides about pods without a gateway, as a gateway would: the review that the API server would send, and the answer
 * to it. The commands {@code test} and {@code replay} share this package.
 */
@NullMarked
package dev.sluice.cli.offline;

import org.jspecify.annotations.NullMarked;
