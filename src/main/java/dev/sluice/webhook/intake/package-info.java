/** The limits for clients of the webhook port: connections, their time, request bodies and the memory for these. */
@NullMarked
package dev.sluice.webhook.intake;

import org.jspecify.annotations.NullMarked;
