/** JSON that is read token by token; whatever nobody needs is skipped without becoming an object. */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
