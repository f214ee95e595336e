/**
 * Reads facts for the doctor from a live cluster or from files that kubectl wrote: lists of items, each of which
 * Jackson reads into the record of its kind, become the records of {@code doctor.facts}. It also contains a verticle
 * that diagnoses the cluster of a running gateway.
 */
@NullMarked
package dev.sluice.kube.facts;

import org.jspecify.annotations.NullMarked;
