/** Decodes the AdmissionReview that the API server sends and the pod in it, and encodes the response. */
@NullMarked
package dev.sluice.webhook.review;

import org.jspecify.annotations.NullMarked;
