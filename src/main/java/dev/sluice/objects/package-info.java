/** The decoders of nodes and pods: from JSON of the API to the types of the core. */
@NullMarked
package dev.sluice.objects;

import org.jspecify.annotations.NullMarked;
