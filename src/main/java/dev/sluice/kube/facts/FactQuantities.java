package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record component as a map of resource names to quantities. In JSON, a quantity may be a number. The component
 * is null if the field is missing. Jackson reads the annotation from the parameter, field and accessor of the
 * component.
 */
@JacksonAnnotationsInside
@JsonDeserialize(contentUsing = FactQuantityReader.class)
@JsonSetter(nulls = Nulls.SET)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@interface FactQuantities {}
