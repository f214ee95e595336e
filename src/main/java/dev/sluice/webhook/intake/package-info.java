/** Limits what clients of the webhook port can use: connections, time, request bodies, and memory for bodies. */
@NullMarked
package dev.sluice.webhook.intake;

import org.jspecify.annotations.NullMarked;
