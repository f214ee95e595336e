/**
 * The AdmissionReview of the API server: the decoder of its request with the pod in it, and the encoder of its
 * response.
 */
@NullMarked
package dev.sluice.webhook.review;

import org.jspecify.annotations.NullMarked;
