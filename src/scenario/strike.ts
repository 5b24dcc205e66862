import { StatusError } from "../apimachinery/errors/errors.ts";
import type { ApiResponse } from "../request/handler.ts";
import type { OpenEntry } from "./logged-request.ts";
import type { FaultContext, Scenario } from "./scenario.ts";

/** What the pipeline gives to an effect; the strike adds how the effect reports what came of it. */
export type StruckServer = Omit<FaultContext, "struck" | "missed" | "waits">;

/** The fault of a strike. */
export interface StrikeOwner {
  readonly scenario: Scenario;
  /** Whether `nth` still skips a request that the fault could affect; called once for such a request. */
  skips(): boolean;
  /** Counts a hit, or a near miss if there is a reason, or neither for a skipped request. */
  settled(strike: Strike, outcome: "hit" | "skipped" | { readonly reason: string }): void;
}

/** One request that a fault has taken, until it is known whether the effect has reached the client. */
export class Strike {
  readonly request: OpenEntry;
  readonly #fault: StrikeOwner;
  #isSettled = false;
  #reason: (() => string) | undefined;

  constructor(fault: StrikeOwner, request: OpenEntry) {
    this.#fault = fault;
    this.request = request;
  }

  /** Why the effect has not reached the client yet. */
  get reason(): string {
    return this.#reason?.() ?? "it has not been answered yet";
  }

  /** Reports that the effect has reached the client. */
  readonly struck = (): void => {
    if (this.#settle()) this.#fault.settled(this, "hit");
  };

  /** Reports that the effect cannot reach the client. */
  readonly missed = (reason: string): void => {
    if (this.#settle()) this.#fault.settled(this, { reason });
  };

  /** Reports that the effect may come later. */
  readonly waits = (reason: () => string): void => {
    this.#reason = reason;
  };

  /** The response of the fault, or of the server if the request lacks what the fault needs. */
  async respond(server: StruckServer): Promise<ApiResponse> {
    const { effect, lacks } = this.#fault.scenario;
    const reason = await lacks?.(server);
    if (reason !== undefined) this.missed(reason);
    else if (lacks !== undefined && this.#fault.skips() && this.#settle())
      this.#fault.settled(this, "skipped");
    return this.#isSettled ? server.answer() : this.#run(effect, server);
  }

  /** An effect that reports nothing has reached the client, unless the server itself refused the request. */
  async #run(effect: Scenario["effect"], server: StruckServer): Promise<ApiResponse> {
    const { struck, missed, waits } = this;
    let refusal: unknown;
    const answer: FaultContext["answer"] = async (options) => {
      try {
        return await server.answer(options);
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    try {
      const response = await effect({ ...server, answer, struck, missed, waits });
      if (this.#reason === undefined) this.struck();
      return response;
    } catch (error) {
      if (error === refusal) this.missed(`the server refused it${inShort(error)}`);
      else this.struck();
      throw error;
    }
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    return true;
  }
}

function inShort(error: unknown): string {
  if (!(error instanceof StatusError)) return "";
  const { reason } = error.status;
  return reason ? ` with ${error.code} ${reason}` : ` with ${error.code}`;
}
