/** The policy and the injection rules, read again when their files change. */
@NullMarked
package dev.sluice.config.policy;

import org.jspecify.annotations.NullMarked;
