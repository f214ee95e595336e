/** Lists what a diagnosis reads of a live cluster: several kinds at a time, page by page, only slim records stay. */
@NullMarked
package dev.sluice.diagnosis.live;

import org.jspecify.annotations.NullMarked;
