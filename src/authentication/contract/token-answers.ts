import type { Clock } from "../../apimachinery/clock.ts";
import type { Authentication } from "./authenticator.ts";
import { TokenTable } from "./token-table.ts";

/** How many answers are kept; the oldest go first. */
const capacity = 1000;

interface Known {
  readonly answer: Authentication;
  readonly expires: number;
}

/** Remembers answers about tokens for a while, by the clock of the cluster. */
export class TokenAnswers {
  readonly #clock: Clock;
  readonly #known = new TokenTable<Known>();
  /** The tokens in the table, oldest first. */
  readonly #order = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(token: string): Authentication | undefined {
    const found = this.#known.get(token);
    if (found !== undefined && this.#clock.now() < found.expires) return found.answer;
    if (found !== undefined) this.#forget(token);
    return undefined;
  }

  remember(token: string, answer: Authentication, milliseconds: number): void {
    this.#forget(token);
    const [oldest] = this.#order;
    if (this.#order.size >= capacity && oldest !== undefined) this.#forget(oldest);
    this.#known.set(token, { answer, expires: this.#clock.now() + milliseconds });
    this.#order.add(token);
  }

  #forget(token: string): void {
    if (this.#order.delete(token)) this.#known.delete(token);
  }
}
