/** Notices when files change, and says why a file cannot be read. The packages that read files know what is in them. */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
