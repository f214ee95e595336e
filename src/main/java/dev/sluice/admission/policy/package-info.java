/** The switches and fallback chains that an administrator chose, for all namespaces and for some. */
@NullMarked
package dev.sluice.admission.policy;

import org.jspecify.annotations.NullMarked;
