/** A running gateway, as commands ask it over its management port. */
@NullMarked
package dev.sluice.cli.gateway;

import org.jspecify.annotations.NullMarked;
