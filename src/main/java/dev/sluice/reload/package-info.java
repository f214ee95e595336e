/**
 * The verticles that read certificates and policies again when their files change, prove that the new content works,
 * and publish it.
 */
@NullMarked
package dev.sluice.reload;

import org.jspecify.annotations.NullMarked;
