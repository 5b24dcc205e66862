/** Milliseconds since the epoch as the API writes most times: `2006-01-02T15:04:05Z`. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the epoch as leases and events have them: `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
}

/** Milliseconds since the epoch of a time in an object of the store; NaN for text that is none. */
export function timeMilliseconds(text: string): number {
  return Date.parse(text);
}

/** A time of an object as Go prints it in messages: `2001-01-01 00:00:00 +0000 UTC`. Null is Go's zero time. */
export function formatGoTime(text: string | null): string {
  const [date, time = ""] = (text ?? "0001-01-01T00:00:00Z").replace("Z", "").split("T");
  return `${date} ${time.replace(/\.?0+$/, (zeros) => (time.includes(".") ? "" : zeros))} +0000 UTC`;
}
