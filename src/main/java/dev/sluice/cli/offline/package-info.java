/**
 * The commands {@code test} and {@code replay}, which decide about pods without a gateway: they make the review that
 * the API server would send, and the answer to it. {@code test} reads cases of pod, cluster, policy and expected
 * decision, and reports the differences as text, JSON or JUnit XML. {@code replay} reads pods, audit logs and logs of
 * decisions, decides them again in their order under another policy or cluster, and reports what would have been
 * different.
 */
@NullMarked
package dev.sluice.cli.offline;

import org.jspecify.annotations.NullMarked;
