/** The decoders of nodes and pods: from the JSON of the Kubernetes API to the types of the core. */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
