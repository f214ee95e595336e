/**
 * The readers for the doctor: they turn the lists of a live cluster, and the files that kubectl wrote, into the records
 * of {@code doctor.facts}. A verticle uses them to diagnose the cluster of a running gateway.
 */
@NullMarked
package dev.sluice.kube.facts;

import org.jspecify.annotations.NullMarked;
