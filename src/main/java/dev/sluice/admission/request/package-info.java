/** What a pod asks for, as its review says it: containers, annotations and GPU requests. */
@NullMarked
package dev.sluice.admission.request;

import org.jspecify.annotations.NullMarked;
