import type { Release } from "../../../src/apimachinery/release.ts";
import type { RawRequest } from "../quiet-server.ts";

/** What a source says about kube-apiserver, and a request that shows it. */
export interface Statement {
  /** A page of the reference and its section, or a test of upstream. */
  readonly source: string;
  readonly says: string;
  /** The first and the last release of which the statement holds. Default: 1.32 says it, and `releases.ts` where else it holds. */
  readonly since?: Release;
  readonly until?: Release;
  /** Requests whose effects the last one needs. */
  readonly after?: readonly RawRequest[];
  readonly request: RawRequest;
  /** A user without permissions sends the request. Default: an administrator. */
  readonly as?: string;
  readonly code: number;
  /** The message of a Status, the text of another body, or a part of the object. */
  readonly answer?: string | RegExp | object;
}

export const configMaps = "/api/v1/namespaces/default/configmaps";

export function get(target: string, headers: Readonly<Record<string, string>> = {}): RawRequest {
  return { method: "GET", target, headers };
}

export function send(
  method: string,
  target: string,
  body: object | string,
  type = "application/json",
): RawRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method, target, headers: { "content-type": type }, body: text };
}

/** A create that is validated and not stored. */
export function tryCreate(target: string, body: object | string): RawRequest {
  return send("POST", `${target}?dryRun=All`, body);
}

export function query(target: string, parameters: Readonly<Record<string, string>>): RawRequest {
  return get(`${target}?${new URLSearchParams(parameters)}`);
}

/** A text in which nothing is special to a regular expression. */
export function literally(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
