/**
 * The command {@code status}: it checks by a dry run whether the API server asks the gateway about pods and trusts its
 * certificate, and it shows the status of each replica.
 */
@NullMarked
package dev.sluice.cli.status;

import org.jspecify.annotations.NullMarked;
