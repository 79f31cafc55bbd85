import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The plain definition: clipped counts, the closest reference length, no smoothing. Segments are added one by one. */
class Bleu {
  final long[] matches;
  final long[] totals;
  long hypothesisLength;
  long referenceLength;

  Bleu(int orders) {
    matches = new long[orders];
    totals = new long[orders];
  }

  void add(List<String> hypothesis, List<List<String>> references) {
    int length = hypothesis.size();
    int closest = references.get(0).size();
    for (List<String> reference : references) {
      int difference = Math.abs(reference.size() - length) - Math.abs(closest - length);
      if (difference < 0 || difference == 0 && reference.size() < closest) closest = reference.size();
    }
    hypothesisLength += length;
    referenceLength += closest;
    for (int order = 1; order <= matches.length; order++) {
      Map<List<String>, Integer> most = new HashMap<>();
      for (List<String> reference : references) {
        ngrams(reference, order).forEach((ngram, number) -> most.merge(ngram, number, Math::max));
      }
      for (Map.Entry<List<String>, Integer> each : ngrams(hypothesis, order).entrySet()) {
        matches[order - 1] += Math.min(each.getValue(), most.getOrDefault(each.getKey(), 0));
        totals[order - 1] += each.getValue();
      }
    }
  }

  private static Map<List<String>, Integer> ngrams(List<String> tokens, int order) {
    Map<List<String>, Integer> counts = new HashMap<>();
    for (int at = 0; at + order <= tokens.size(); at++) counts.merge(tokens.subList(at, at + order), 1, Integer::sum);
    return counts;
  }

  /** Matches by totals, NaN for 0/0. */
  double[] precisions() {
    return IntStream.range(0, matches.length).mapToDouble(n -> (double) matches[n] / totals[n]).toArray();
  }

  double brevityPenalty() {
    if (hypothesisLength == 0) return 0;
    return hypothesisLength >= referenceLength ? 1 : Math.exp(1 - (double) referenceLength / hypothesisLength);
  }

  /** 0 to 1; 0 if a precision of positive weight is 0 or NaN. */
  double score(double[] weights) {
    double[] precisions = precisions();
    double sum = 0;
    for (int n = 0; n < weights.length; n++) {
      if (weights[n] > 0 && !(precisions[n] > 0)) return 0;
      if (weights[n] > 0) sum += weights[n] * Math.log(precisions[n]);
    }
    return brevityPenalty() * Math.exp(sum);
  }
}
