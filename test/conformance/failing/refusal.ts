import type { Json } from "./client.ts";

/** An error of the server, from a response or an event. */
export class Refusal extends Error {
  readonly code: number;
  readonly reason: string;
  readonly retryAfterSeconds: number;

  constructor(code: number, reason: string, retryAfterSeconds: number) {
    super(`${code} ${reason}`);
    this.code = code;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the error may be temporary. */
  get passes(): boolean {
    return (
      this.code >= 500 || [401, 404, 409, 429].includes(this.code) || this.reason === "NamespaceTerminating"
    );
  }
}

/** The error of a response, which may be a Status, or any text of an intermediary. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const text = await answer.text();
  const seconds = Number(answer.headers.get("retry-after") ?? 0);
  return refusalOfStatus(text.startsWith("{") ? JSON.parse(text) : {}, answer.status, seconds);
}

/** The error of a Status. */
export function refusalOfStatus(
  { code, reason, details }: Partial<Json>,
  status: number,
  seconds = 0,
): Refusal {
  const [cause] = details?.causes ?? [];
  const isTerminating = cause?.reason === "NamespaceTerminating";
  const said = isTerminating ? "NamespaceTerminating" : (reason ?? "");
  return new Refusal(code ?? status, said, details?.retryAfterSeconds ?? seconds);
}
