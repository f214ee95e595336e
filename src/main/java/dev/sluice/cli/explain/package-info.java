/**
 * The command {@code explain}: it reads manifests with pods and pod templates, and prints the decision about these pods
 * as text or JSON. The same code explains the manifests that are posted to a gateway.
 */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
