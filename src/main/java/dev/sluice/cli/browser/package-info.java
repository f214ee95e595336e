/** Holds the command {@code console}, which shows the console of a gateway in a browser. */
@NullMarked
package dev.sluice.cli.browser;

import org.jspecify.annotations.NullMarked;
