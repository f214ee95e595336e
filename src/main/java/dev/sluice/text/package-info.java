/** Text for people: what others wrote made safe, long text cut, numbers and names put into sentences. JDK only. */
@NullMarked
package dev.sluice.text;

import org.jspecify.annotations.NullMarked;
