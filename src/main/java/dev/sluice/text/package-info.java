/**
 * Text for people: this package makes untrusted text safe, shortens long text, and formats numbers and names in
 * sentences. It depends on the JDK only.
 */
@NullMarked
package dev.sluice.text;

import org.jspecify.annotations.NullMarked;
