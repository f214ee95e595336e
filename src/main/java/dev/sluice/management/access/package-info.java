/** Who may read the management port: a bearer token comes in, a decision goes out. */
@NullMarked
package dev.sluice.management.access;

import org.jspecify.annotations.NullMarked;
