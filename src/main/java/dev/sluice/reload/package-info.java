/**
 * The verticles that read certificates and policies again when their files change, check that the new content works,
 * and publish the new content.
 */
@NullMarked
package dev.sluice.reload;

import org.jspecify.annotations.NullMarked;
