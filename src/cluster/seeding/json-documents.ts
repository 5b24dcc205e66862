/**
 * Splits text in which JSON values follow each other, as `kubectl get -o json` twice would write them. Each piece runs
 * from the end of one value to the end of the next; the parser reports errors inside.
 */
export function splitJsonDocuments(text: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth > 0) continue;
      pieces.push(text.slice(start, index + 1));
      start = index + 1;
    }
  }
  const rest = text.slice(start);
  return rest.trim() === "" ? pieces : [...pieces, rest];
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === '"') return index;
  }
  return text.length;
}
