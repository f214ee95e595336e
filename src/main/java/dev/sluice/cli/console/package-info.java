/** Tables, colours, options, errors and exit codes that all commands share. */
@NullMarked
package dev.sluice.cli.console;

import org.jspecify.annotations.NullMarked;
