/** What a diagnosis reads of a cluster: slim records of the objects, as they were at one moment. */
@NullMarked
package dev.sluice.diagnosis.facts;

import org.jspecify.annotations.NullMarked;
