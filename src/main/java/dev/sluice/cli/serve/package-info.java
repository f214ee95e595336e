/** The command that runs the gateway until a signal ends it. */
@NullMarked
package dev.sluice.cli.serve;

import org.jspecify.annotations.NullMarked;
