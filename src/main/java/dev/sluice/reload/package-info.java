/**
 * The verticles that read the certificates and the policy again when their files change, and publish what they have
 * read.
 */
@NullMarked
package dev.sluice.reload;

import org.jspecify.annotations.NullMarked;
