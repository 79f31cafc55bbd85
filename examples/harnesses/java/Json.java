import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers and booleans, because the JDK brings no library for it. */
class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object read(String line) {
    return new Json(line).value();
  }

  /** The next value; null if a list or a map ends. Commas and colons say nothing that is needed. */
  private Object value() {
    while (" ,:".indexOf(text.charAt(at)) >= 0) at++;
    char first = text.charAt(at++);
    if (first == '"') return string();
    if (first == ']' || first == '}') return null;
    if (first == '[') {
      List<Object> items = new ArrayList<>();
      for (Object item = value(); item != null; item = value()) items.add(item);
      return items;
    }
    if (first == '{') {
      Map<String, Object> members = new HashMap<>();
      for (Object key = value(); key != null; key = value()) members.put((String) key, value());
      return members;
    }
    int start = at - 1;
    while (at < text.length() && " ,]}".indexOf(text.charAt(at)) < 0) at++;
    String word = text.substring(start, at);
    if (word.equals("true") || word.equals("false")) return word.equals("true");
    return Double.valueOf(word);
  }

  private String string() {
    StringBuilder found = new StringBuilder();
    for (char unit = text.charAt(at++); unit != '"'; unit = text.charAt(at++)) {
      found.append(unit == '\\' ? escaped(text.charAt(at++)) : unit);
    }
    return found.toString();
  }

  private char escaped(char kind) {
    if (kind != 'u') return "\b\f\n\r\t\"\\/".charAt("bfnrt\"\\/".indexOf(kind));
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  static void write(Object value, StringBuilder out) {
    if (value instanceof String text) {
      out.append('"');
      for (char unit : text.toCharArray()) {
        boolean isPlain = unit >= ' ' && unit != '"' && unit != '\\';
        out.append(isPlain ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
      }
      out.append('"');
    } else if (value instanceof List<?> items) {
      String before = "[";
      for (Object item : items) {
        out.append(before);
        write(item, out);
        before = ",";
      }
      out.append(items.isEmpty() ? "[]" : "]");
    } else if (value instanceof Map<?, ?> members) {
      String before = "{";
      for (Map.Entry<?, ?> member : members.entrySet()) {
        out.append(before);
        write(member.getKey(), out);
        out.append(':');
        write(member.getValue(), out);
        before = ",";
      }
      out.append(members.isEmpty() ? "{}" : "}");
    } else {
      out.append(value.equals(Double.NaN) ? "\"nan\"" : value);
    }
  }
}
