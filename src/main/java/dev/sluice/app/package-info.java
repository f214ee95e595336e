/** The gateway, put together from its verticles. */
@NullMarked
package dev.sluice.app;

import org.jspecify.annotations.NullMarked;
