/** The command explain: the decision about a manifest in words or as JSON. */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
