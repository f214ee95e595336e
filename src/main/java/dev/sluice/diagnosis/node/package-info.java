/** What is wrong with single nodes, what is in use there, and what a repair would bring. */
@NullMarked
package dev.sluice.diagnosis.node;

import org.jspecify.annotations.NullMarked;
