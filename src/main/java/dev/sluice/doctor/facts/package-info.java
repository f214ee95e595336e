/** Contains the records that a diagnosis reads: reduced copies of the objects of a cluster at one moment. */
@NullMarked
package dev.sluice.doctor.facts;

import org.jspecify.annotations.NullMarked;
