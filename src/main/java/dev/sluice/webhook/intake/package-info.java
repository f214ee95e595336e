/**
 * What a client may take of the gateway before it is answered: connections, their time, request bodies and the memory
 * for them.
 */
@NullMarked
package dev.sluice.webhook.intake;

import org.jspecify.annotations.NullMarked;
