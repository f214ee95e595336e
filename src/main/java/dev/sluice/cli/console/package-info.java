/**
 * The code that all commands share: tables, terminal pages, colours, common options and their values, exit codes,
 * problems that the user can solve with suggestions for misspelt names, and connections to the API server of a live
 * cluster or to a running gateway, with the token of the user.
 */
@NullMarked
package dev.sluice.cli.console;

import org.jspecify.annotations.NullMarked;
