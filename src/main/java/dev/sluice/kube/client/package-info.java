/** The HTTP connection to the API server: lists, watches, single objects, credentials, and what its failures mean. */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
