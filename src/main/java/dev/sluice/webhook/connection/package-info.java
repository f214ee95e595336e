/** TCP connections: how many may be open, and how long each may take. */
@NullMarked
package dev.sluice.webhook.connection;

import org.jspecify.annotations.NullMarked;
