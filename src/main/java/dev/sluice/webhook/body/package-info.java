/** Bodies of requests, which share one memory budget, and the answers to them. */
@NullMarked
package dev.sluice.webhook.body;

import org.jspecify.annotations.NullMarked;
