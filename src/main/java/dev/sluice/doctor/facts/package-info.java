/** The records that the doctor reads: slim copies of the objects of a cluster as they were at one moment. */
@NullMarked
package dev.sluice.doctor.facts;

import org.jspecify.annotations.NullMarked;
