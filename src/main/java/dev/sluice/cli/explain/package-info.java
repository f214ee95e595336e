/** The command {@code explain}: it reads manifests, and prints the decision about their pods as text or JSON. */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
