/** The rules of injection: which GPU type and which namespace get how much CPU and memory for each GPU. */
@NullMarked
package dev.sluice.injection.rule;

import org.jspecify.annotations.NullMarked;
