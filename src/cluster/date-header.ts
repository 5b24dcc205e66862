/** Formats times for HTTP headers, once per second. */
export function dateHeader(): (now: number) => string {
  let second = Number.NaN;
  let text = "";
  return (now) => {
    const current = Math.floor(now / 1000);
    if (current !== second) {
      second = current;
      text = new Date(now).toUTCString();
    }
    return text;
  };
}
