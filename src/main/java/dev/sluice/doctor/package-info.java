/**
 * Contains the diagnosis: the rules that explain why a pod does not run, what is wrong with a node, and what would
 * help.
 */
@NullMarked
package dev.sluice.doctor;

import org.jspecify.annotations.NullMarked;
