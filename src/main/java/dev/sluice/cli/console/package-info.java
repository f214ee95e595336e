/** Tables, colours, options, errors and connections that all commands share. */
@NullMarked
package dev.sluice.cli.console;

import org.jspecify.annotations.NullMarked;
