/**
 * The format of the AdmissionReview: the decoder for the API server's request and the pod in it, the encoder of the
 * response, and the check of a response that another replica made.
 */
@NullMarked
package dev.sluice.webhook.review;

import org.jspecify.annotations.NullMarked;
