/**
 * Text for people: this package makes untrusted text safe, shortens long text, formats counts and lists of names,
 * checks DNS labels, quotes words for a shell, compares misspelt words, and estimates the memory of text. It depends on
 * the JDK only.
 */
@NullMarked
package dev.sluice.text;

import org.jspecify.annotations.NullMarked;
