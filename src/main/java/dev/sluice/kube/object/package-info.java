/**
 * Single objects of the API server, which are read and written one by one. Whatever may be many is listed and watched.
 */
@NullMarked
package dev.sluice.kube.object;

import org.jspecify.annotations.NullMarked;
