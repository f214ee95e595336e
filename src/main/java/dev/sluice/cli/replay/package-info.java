/**
 * The command {@code replay}: it reads pods, audit logs and logs of decisions, decides them again in their order under
 * another policy or cluster, and reports what would have been different.
 */
@NullMarked
package dev.sluice.cli.replay;

import org.jspecify.annotations.NullMarked;
