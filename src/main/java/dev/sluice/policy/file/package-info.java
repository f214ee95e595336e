/** The policy and the injection rules, read again when their files change. */
@NullMarked
package dev.sluice.policy.file;

import org.jspecify.annotations.NullMarked;
