/** Compares the pods that the watch shows with the decisions of this process, in availability mode. */
@NullMarked
package dev.sluice.record.bypass.verticle;

import org.jspecify.annotations.NullMarked;
