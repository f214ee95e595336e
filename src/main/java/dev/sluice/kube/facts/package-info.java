/**
 * Reads facts for the doctor from a live cluster or from files that kubectl wrote: Jackson reads each item of a list
 * into the record of its kind, and the records are converted to the facts in {@code doctor.facts}. It also contains a
 * verticle that diagnoses the cluster of a running gateway.
 */
@NullMarked
package dev.sluice.kube.facts;

import org.jspecify.annotations.NullMarked;
