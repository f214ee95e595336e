/** The commands that make and show certificates. */
@NullMarked
package dev.sluice.cli.certs;

import org.jspecify.annotations.NullMarked;
