/**
 * The warm-up: before the gateway knows its cluster, and so before it is ready, a gateway of the warm-up's own answers
 * some hundred reviews, so that the JVM has compiled what they run through (decision 21).
 */
@NullMarked
package dev.sluice.webhook.warmup;

import org.jspecify.annotations.NullMarked;
