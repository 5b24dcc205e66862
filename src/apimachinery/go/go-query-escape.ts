/** Go's `url.QueryEscape`, which escapes more than `encodeURIComponent` and writes a space as a plus. */
export function queryEscape(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}
