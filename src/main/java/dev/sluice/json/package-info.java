/** JSON that is read token by token, and skipped where nobody reads it. */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
