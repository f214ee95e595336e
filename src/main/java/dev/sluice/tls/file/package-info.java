/** The certificate, the key and the client authorities, read again and proved when their files change. */
@NullMarked
package dev.sluice.tls.file;

import org.jspecify.annotations.NullMarked;
