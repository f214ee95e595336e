/** The decoders of a pod that reviews and watches share: resources, scheduling constraints and annotations. */
@NullMarked
package dev.sluice.kube.decode.spec;

import org.jspecify.annotations.NullMarked;
