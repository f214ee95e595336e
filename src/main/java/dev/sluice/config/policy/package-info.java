/** The policy section of the configuration. */
@NullMarked
package dev.sluice.config.policy;

import org.jspecify.annotations.NullMarked;
