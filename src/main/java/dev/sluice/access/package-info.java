/** Who may read the management port: a bearer token comes in, a decision goes out. */
@NullMarked
package dev.sluice.access;

import org.jspecify.annotations.NullMarked;
