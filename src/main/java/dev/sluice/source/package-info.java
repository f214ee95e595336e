/** The status and the failure of a source of the cluster's state: an API server or a file. */
@NullMarked
package dev.sluice.source;

import org.jspecify.annotations.NullMarked;
