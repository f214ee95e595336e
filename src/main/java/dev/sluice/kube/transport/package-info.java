/** The HTTP connection to the API server, and what its failures mean. */
@NullMarked
package dev.sluice.kube.transport;

import org.jspecify.annotations.NullMarked;
