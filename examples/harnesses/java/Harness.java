// A harness in Java for the class Bleu: javac -d CLASSES *.java && java -XX:TieredStopAtLevel=1 -cp CLASSES Harness
import java.io.*;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import static java.nio.charset.StandardCharsets.UTF_8;

@SuppressWarnings("unchecked") // what JSON holds is known from the protocol
class Harness {
  private static final Map<String, String> PLAIN =
      Map.of("counter", "clipped", "reference_length", "closest", "smoothing", "none");
  private static final Pattern SPACE =
      Pattern.compile("[\\s\\x1C-\\x1F]+", Pattern.UNICODE_CHARACTER_CLASS);

  /** What of the variant or the input Bleu has no parameter for, or null. */
  private static String cannot(Map<String, ?> variant, List<Map<String, ?>> segments) {
    for (String key : PLAIN.keySet())
      if (!name(variant, key).equals(PLAIN.get(key))) return key + ": " + name(variant, key);
    if (variant.get("lowercase") != Boolean.FALSE) return "lowercase: " + variant.get("lowercase");
    if (variant.containsKey("average")) return "average: " + variant.get("average");
    if (variant.get("effective_order") != Boolean.FALSE) return "effective_order: true";
    if (!variant.get("empty_score").equals(0.0)) return "empty_score: " + variant.get("empty_score");
    if (segments == null) return "input: counts in place of segments";
    String tokenizer = name(variant, "tokenizer");
    boolean hasText = segments.stream().anyMatch(segment -> segment.get("hypothesis") instanceof String);
    return hasText && !tokenizer.matches("whitespace|none") ? "tokenizer: " + tokenizer : null;
  }

  private static String name(Map<String, ?> variant, String key) {
    return ((Map<?, ?>) variant.get(key)).get("name").toString();
  }

  private static List<String> tokens(Object text) {
    if (text instanceof List<?> tokens) return (List<String>) tokens;
    return SPACE.splitAsStream((String) text).filter(token -> !token.isEmpty()).toList();
  }

  private static Map<String, Object> reported(List<Double> weights, List<Map<String, ?>> segments) {
    Bleu bleu = new Bleu(weights.size());
    for (Map<String, ?> segment : segments) {
      List<?> references = (List<?>) segment.get("references");
      bleu.add(tokens(segment.get("hypothesis")), references.stream().map(Harness::tokens).toList());
    }
    return Map.of(
        "matches", LongStream.of(bleu.matches).boxed().toList(),
        "totals", LongStream.of(bleu.totals).boxed().toList(),
        "precisions", Arrays.stream(bleu.precisions()).boxed().toList(),
        "hypothesis_length", bleu.hypothesisLength,
        "reference_length", bleu.referenceLength,
        "brevity_penalty", bleu.brevityPenalty(),
        "score", bleu.score(weights.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  private static Map<String, Object> answer(Map<String, Object> request) {
    Map<String, Object> answer = new HashMap<>(Map.of("seq", ((Double) request.get("seq")).longValue()));
    if (request.get("request").equals("hello")) {
      answer.putAll(Map.of("protocol", 1, "implementation", "Bleu.java", "language", "Java " + Runtime.version()));
      return answer;
    }
    var variant = (Map<String, Object>) request.get("variant");
    var segments = (List<Map<String, ?>>) request.get("segments");
    String reason = cannot(variant, segments);
    if (reason != null) answer.put("cannot", reason);
    else answer.put("reported", reported((List<Double>) variant.get("weights"), segments));
    return answer;
  }

  public static void main(String[] arguments) throws IOException {
    var input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    var output = new PrintStream(System.out, true, UTF_8);
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      var request = (Map<String, Object>) Json.read(line);
      if (request.get("request").equals("bye")) return;
      var written = new StringBuilder();
      Json.write(answer(request), written);
      output.println(written);
    }
  }
}
