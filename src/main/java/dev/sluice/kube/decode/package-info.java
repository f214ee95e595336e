/**
 * The JSON of Kubernetes objects: decoders that convert lists and objects, such as nodes, pods, LimitRanges and objects
 * of DRA, to their metadata and to the types of {@code cluster}, limit what is kept of an object, and share equal
 * values in memory; the decoder for an AdmissionReview and the pod in it, the encoder of the response, and the check of
 * a response that another replica made.
 */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
