import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JSON as maps, lists, strings, numbers and booleans, because the JDK brings no library for it. */
class Json {
  private static final Pattern PART = Pattern.compile("\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|[-+.\\w]++|[\\[\\]{}]");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");

  static Object read(String line) {
    return next(PART.matcher(line));
  }

  /** The next value; null if a list or a map ends. Commas and colons say nothing that is needed. */
  private static Object next(Matcher parts) {
    parts.find();
    String part = parts.group();
    if (parts.group(1) != null) return ESCAPE.matcher(parts.group(1)).replaceAll(Json::escaped);
    if (part.equals("[")) return Stream.generate(() -> next(parts)).takeWhile(Objects::nonNull).toList();
    if (part.equals("]") || part.equals("}")) return null;
    if (part.equals("true") || part.equals("false")) return part.equals("true");
    if (!part.equals("{")) return Double.valueOf(part);
    Map<String, Object> members = new HashMap<>();
    for (Object key = next(parts); key != null; key = next(parts)) members.put((String) key, next(parts));
    return members;
  }

  private static String escaped(MatchResult found) {
    char unit = found.group(1) != null ? (char) Integer.parseInt(found.group(1), 16)
        : "\b\f\n\r\t\"\\/".charAt("bfnrt\"\\/".indexOf(found.group(2)));
    return Matcher.quoteReplacement(String.valueOf(unit));
  }

  static String write(Object value) {
    if (value instanceof List<?> items) return items.stream().map(Json::write).toList().toString();
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream()
          .map(each -> write(each.getKey()) + ":" + write(each.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Double number && number.isNaN()) return "\"nan\"";
    if (!(value instanceof String text)) return value.toString();
    Stream<String> units = text.chars().mapToObj(unit ->
        unit < ' ' || unit == '"' || unit == '\\' ? String.format("\\u%04x", unit) : String.valueOf((char) unit));
    return units.collect(Collectors.joining("", "\"", "\""));
  }
}
