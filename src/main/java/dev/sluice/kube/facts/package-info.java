/**
 * The readers of what the doctor needs: lists of a live cluster and files that kubectl wrote become the records of
 * doctor.facts, and a verticle diagnoses the cluster of a running gateway from them.
 */
@NullMarked
package dev.sluice.kube.facts;

import org.jspecify.annotations.NullMarked;
