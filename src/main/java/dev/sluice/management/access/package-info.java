/**
 * Checks whether the owner of a bearer token may read the management port, or only the part of it that is about one
 * namespace. Contains the questions to the API server, and the decisions and refusals that follow.
 */
@NullMarked
package dev.sluice.management.access;

import org.jspecify.annotations.NullMarked;
