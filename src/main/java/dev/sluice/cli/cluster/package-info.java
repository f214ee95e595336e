/** The cluster that a command reads: a snapshot file or a live cluster. */
@NullMarked
package dev.sluice.cli.cluster;

import org.jspecify.annotations.NullMarked;
