package dev.sluice.cluster.dra;

import dev.sluice.cluster.dra.DeviceSelectorValue.Choices;
import dev.sluice.cluster.dra.DeviceSelectorValue.DomainFields;
import dev.sluice.cluster.dra.DeviceSelectorValue.Domains;
import dev.sluice.cluster.dra.DeviceSelectorValue.FieldKind;
import dev.sluice.cluster.dra.DeviceSelectorValue.QuantityValue;
import dev.sluice.cluster.dra.DeviceSelectorValue.StringValue;
import dev.sluice.cluster.dra.DeviceSelectorValue.VersionNumber;
import dev.sluice.cluster.dra.DeviceSelectorValue.WholeDevice;
import dev.sluice.cluster.dra.DeviceSelectorValue.WholeNumber;
import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A part of a parsed CEL expression. */
sealed interface DeviceSelectorTerm {

    DeviceSelectorValue of(DeviceSelectorInput input);

    record Constant(DeviceSelectorValue value) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            return value;
        }
    }

    record AnyOf(List<DeviceSelectorTerm> parts) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            DraCertainty answer = DraCertainty.NO;
            for (DeviceSelectorTerm part : parts) {
                answer = answer.or(part.of(input).truth());
            }
            return new DeviceSelectorValue.Truth(answer);
        }
    }

    record AllOf(List<DeviceSelectorTerm> parts) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            DraCertainty answer = DraCertainty.YES;
            for (DeviceSelectorTerm part : parts) {
                answer = answer.and(part.of(input).truth());
            }
            return new DeviceSelectorValue.Truth(answer);
        }
    }

    record Negated(DeviceSelectorTerm part) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            return new DeviceSelectorValue.Truth(part.of(input).truth().not());
        }
    }

    record ListOf(List<DeviceSelectorTerm> parts) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            return new Choices(parts.stream().map(part -> part.of(input)).toList());
        }
    }

    record Compared(DeviceSelectorTerm left, String operator, DeviceSelectorTerm right) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            DeviceSelectorValue one = left.of(input);
            DeviceSelectorValue other = right.of(input);
            return new DeviceSelectorValue.Truth(
                    switch (operator) {
                        case "==" -> one.equalTo(other);
                        case "!=" -> one.equalTo(other).not();
                        case "in" -> isIn(one, other, input);
                        default -> ordered(one, other);
                    });
        }

        private DraCertainty ordered(DeviceSelectorValue one, DeviceSelectorValue other) {
            if (!(one instanceof WholeNumber(long a) && other instanceof WholeNumber(long b))) {
                return DraCertainty.MAYBE;
            }
            return DraCertainty.of(
                    switch (operator) {
                        case "<" -> a < b;
                        case "<=" -> a <= b;
                        case ">" -> a > b;
                        default -> a >= b;
                    });
        }

        private static DraCertainty isIn(
                DeviceSelectorValue one, DeviceSelectorValue other, DeviceSelectorInput input) {
            return switch (other) {
                case Choices(List<DeviceSelectorValue> values) -> {
                    DraCertainty found = DraCertainty.NO;
                    for (DeviceSelectorValue value : values) {
                        found = found.or(one.equalTo(value));
                    }
                    yield found;
                }
                case Domains(FieldKind kind) ->
                    one.text()
                            .map(domain -> DraCertainty.of(input.hasDomain(kind, domain)))
                            .orElse(DraCertainty.MAYBE);
                case DomainFields(FieldKind kind, String domain) ->
                    one.text()
                            .map(name -> DraCertainty.of(input.has(kind, domain, name)))
                            .orElse(DraCertainty.MAYBE);
                default -> DraCertainty.MAYBE;
            };
        }
    }

    /** The access to a field: {@code from.key} or {@code from["key"]}. */
    record Selected(DeviceSelectorTerm from, DeviceSelectorTerm key) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            return key.of(input)
                    .text()
                    .map(name -> field(from.of(input), name, input))
                    .orElse(DeviceSelectorValue.unknown());
        }

        private static DeviceSelectorValue field(DeviceSelectorValue from, String name, DeviceSelectorInput input) {
            return switch (from) {
                case WholeDevice() -> fieldOfDevice(name, input);
                case Domains(FieldKind kind) -> new DomainFields(kind, name);
                case DomainFields(FieldKind kind, String domain) ->
                    switch (kind) {
                        case ATTRIBUTES -> input.attribute(domain, name);
                        case CAPACITY -> input.capacity(domain, name);
                    };
                default -> DeviceSelectorValue.unknown();
            };
        }

        private static DeviceSelectorValue fieldOfDevice(String name, DeviceSelectorInput input) {
            return switch (name) {
                case "driver" -> new StringValue(input.driver());
                case "attributes" -> new Domains(FieldKind.ATTRIBUTES);
                case "capacity" -> new Domains(FieldKind.CAPACITY);
                case "allowMultipleAllocations" -> DeviceSelectorValue.of(input.shared());
                default -> DeviceSelectorValue.unknown();
            };
        }
    }

    /** The macro {@code has(from.key)}, which is true if the field exists. */
    record Present(Selected field) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            Optional<String> name = field.key().of(input).text();
            return field.from().of(input) instanceof DomainFields(FieldKind kind, String domain) && name.isPresent()
                    ? DeviceSelectorValue.of(input.has(kind, domain, name.get()))
                    : DeviceSelectorValue.unknown();
        }
    }

    /**
     * The call {@code function(argument)} or {@code receiver.function(argument)}. In the second form, the receiver is
     * the first element of {@code arguments}.
     */
    record Called(String function, List<DeviceSelectorTerm> arguments) implements DeviceSelectorTerm {
        @Override
        public DeviceSelectorValue of(DeviceSelectorInput input) {
            List<DeviceSelectorValue> values =
                    arguments.stream().map(argument -> argument.of(input)).toList();
            return switch (values.size()) {
                case 1 -> ofOne(values.getFirst());
                case 2 -> ofTwo(values.getFirst(), values.getLast());
                default -> DeviceSelectorValue.unknown();
            };
        }

        private DeviceSelectorValue ofOne(DeviceSelectorValue value) {
            Optional<String> text = value.text();
            return text.flatMap(known -> switch (function) {
                        case "quantity" -> Quantity.parse(known).<DeviceSelectorValue>map(QuantityValue::new);
                        case "semver" ->
                            DeviceAttributeVersion.parse(known).<DeviceSelectorValue>map(VersionNumber::new);
                        case ".lowerAscii" -> lowerCased(known);
                        default -> Optional.<DeviceSelectorValue>empty();
                    })
                    .orElse(DeviceSelectorValue.unknown());
        }

        /**
         * Converts ASCII letters to lower case. Returns empty for text with other characters than ASCII: Java would
         * convert some of them, but CEL does not.
         */
        private static Optional<DeviceSelectorValue> lowerCased(String text) {
            return text.chars().allMatch(c -> c < 128)
                    ? Optional.of(new StringValue(text.toLowerCase(Locale.ROOT)))
                    : Optional.empty();
        }

        private DeviceSelectorValue ofTwo(DeviceSelectorValue one, DeviceSelectorValue other) {
            if (one instanceof StringValue(String text) && other instanceof StringValue(String part)) {
                return switch (function) {
                    case ".startsWith" -> DeviceSelectorValue.of(text.startsWith(part));
                    case ".endsWith" -> DeviceSelectorValue.of(text.endsWith(part));
                    case ".contains" -> DeviceSelectorValue.of(text.contains(part));
                    default -> DeviceSelectorValue.unknown();
                };
            }
            OptionalInt order = one.order(other);
            return order.isEmpty()
                    ? DeviceSelectorValue.unknown()
                    : switch (function) {
                        case ".isGreaterThan" -> DeviceSelectorValue.of(order.getAsInt() > 0);
                        case ".isLessThan" -> DeviceSelectorValue.of(order.getAsInt() < 0);
                        case ".compareTo" -> new WholeNumber(Integer.signum(order.getAsInt()));
                        default -> DeviceSelectorValue.unknown();
                    };
        }
    }
}
