/** The verticles that read certificates and policies again when their files change, and publish the new content. */
@NullMarked
package dev.sluice.reload;

import org.jspecify.annotations.NullMarked;
