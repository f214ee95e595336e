/** The check of whether the owner of a bearer token may read the management port. */
@NullMarked
package dev.sluice.management.access;

import org.jspecify.annotations.NullMarked;
