/**
 * The command {@code test}: it reads cases of pod, cluster, policy and expected decision, decides them, and reports the
 * differences as text, JSON or JUnit XML.
 */
@NullMarked
package dev.sluice.cli.policytest;

import org.jspecify.annotations.NullMarked;
