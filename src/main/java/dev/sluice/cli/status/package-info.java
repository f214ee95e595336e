/**
 * The command {@code status}: whether the API server asks the gateway about pods and trusts it, and what each replica
 * says about itself.
 */
@NullMarked
package dev.sluice.cli.status;

import org.jspecify.annotations.NullMarked;
