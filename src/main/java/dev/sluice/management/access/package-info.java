/**
 * The check of whether the owner of a bearer token may read the management port, or the part of it that is about a
 * namespace: the questions to the API server, and the decisions and refusals that follow.
 */
@NullMarked
package dev.sluice.management.access;

import org.jspecify.annotations.NullMarked;
