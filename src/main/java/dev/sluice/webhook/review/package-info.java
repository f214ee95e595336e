/** The AdmissionReview of the API server: its request as it is read, and its response as it is written. */
@NullMarked
package dev.sluice.webhook.review;

import org.jspecify.annotations.NullMarked;
