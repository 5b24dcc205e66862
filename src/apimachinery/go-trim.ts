/** The text without leading and trailing characters of `cutset`, as Go's `strings.Trim`. Takes linear time. */
export function goTrim(text: string, cutset: string): string {
  let start = 0;
  while (start < text.length && cutset.includes(text.charAt(start))) start++;
  return goTrimRight(text.slice(start), cutset);
}

/**
 * The text without trailing characters of `cutset`, as Go's `strings.TrimRight`. A regular expression such as `/ +$/`
 * would take quadratic time for blanks within the text.
 */
export function goTrimRight(text: string, cutset: string): string {
  let end = text.length;
  while (end > 0 && cutset.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
