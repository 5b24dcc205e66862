/**
 * Values by secret token. Tokens are found by checksum and then compared in constant time: a lookup takes the same time
 * however much of a guess is right.
 */
export class TokenTable<T> {
  readonly #entries = new Map<number, Entry<T>[]>();

  get(token: string): T | undefined {
    for (const entry of this.#entries.get(checksum(token)) ?? none) {
      if (isSameToken(entry.token, token)) return entry.value;
    }
    return undefined;
  }

  set(token: string, value: T): void {
    const sum = checksum(token);
    const others = (this.#entries.get(sum) ?? []).filter((entry) => entry.token !== token);
    this.#entries.set(sum, [...others, { token, value }]);
  }

  delete(token: string): void {
    const sum = checksum(token);
    const others = (this.#entries.get(sum) ?? []).filter((entry) => entry.token !== token);
    if (others.length === 0) this.#entries.delete(sum);
    else this.#entries.set(sum, others);
  }
}

interface Entry<T> {
  readonly token: string;
  readonly value: T;
}

const none: readonly never[] = [];

/** FNV-1a. It needs no secret, because it only has to include every character. */
function checksum(token: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) sum = Math.imul(sum ^ token.charCodeAt(at), 0x01000193);
  return sum;
}

/** Whether two tokens are the same. It compares all characters, so that the time does not depend on the first difference. */
export function isSameToken(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
