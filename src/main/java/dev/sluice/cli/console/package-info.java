/**
 * The code that all commands share: tables, terminal pages, colours, common options, exit codes, error messages, and
 * connections to a cluster or to a running gateway.
 */
@NullMarked
package dev.sluice.cli.console;

import org.jspecify.annotations.NullMarked;
