/**
 * The format of the AdmissionReview: the decoder for the API server's request and the pod in it, and the encoder of the
 * response.
 */
@NullMarked
package dev.sluice.webhook.review;

import org.jspecify.annotations.NullMarked;
