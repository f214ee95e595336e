/** The manifests of users, turned into the pods that the API server would send to the gateway. */
@NullMarked
package dev.sluice.cli.manifest;

import org.jspecify.annotations.NullMarked;
