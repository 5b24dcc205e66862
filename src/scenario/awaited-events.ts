/** A number of things: `1 event`, `2 events`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** What a fault waits for that strikes after some events. */
export function awaitedEvents(events: number): string {
  return `the fault waits for ${events}`;
}
