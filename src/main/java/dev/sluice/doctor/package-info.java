/**
 * The diagnosis: the rules, obstacles and causes that explain why a pod does not run, the findings on nodes and their
 * GPU hardware and software, the bundles that nodes print, and the next steps that would help.
 */
@NullMarked
package dev.sluice.doctor;

import org.jspecify.annotations.NullMarked;
