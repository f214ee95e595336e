/** The AdmissionReview of the API server: its request as it is read, and its response as it is written. */
@NullMarked
@CheckReturnValue
package dev.sluice.review;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
