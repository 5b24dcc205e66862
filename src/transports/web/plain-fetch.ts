import { plainRequest } from "../../request/plain-request.ts";
import type { SentRequest } from "./web-exchange.ts";
import { targetOf } from "./web-request.ts";

const plainMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
/** Headers that browsers let pages set. */
const plainName = /^(?:accept|authorization|content-type|user-agent|impersonate-[a-z-]+)$/;
const plainValue = /^[!-~]+(?: [!-~]+)*$/;

/**
 * What a Request of these arguments would say, without creating one: that costs as much as a small answer. Undefined where only
 * Request knows what they mean, for example if it refuses them.
 */
export function plainFetch(input: string | URL, init: RequestInit): SentRequest | undefined {
  const { method = "GET", headers = {}, body, signal, ...others } = init;
  const url = absoluteUrl(String(input));
  if (url === undefined || !plainMethod.test(method) || Object.keys(others).length > 0) return undefined;
  const values = new Map([["host", url.host]]);
  for (const pair of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    // Request makes strings of them as well.
    const [name = "", value = ""] = pair.map(String);
    const key = name.toLowerCase();
    if (pair.length !== 2) return undefined;
    if (!plainName.test(key) || !plainValue.test(value) || values.has(key)) return undefined;
    values.set(key, value);
  }
  if (body !== undefined && body !== null) {
    if (typeof body !== "string" || method === "GET" || method === "HEAD") return undefined;
    if (!values.has("content-type")) values.set("content-type", "text/plain;charset=UTF-8");
  }
  const bytes = new TextEncoder().encode(body ?? "");
  const request = plainRequest({ method, target: targetOf(url.href), headers: values, body: bytes });
  return { url: url.href, signal, request };
}

/** Undefined if the URL is relative or invalid, or has credentials. */
function absoluteUrl(text: string): URL | undefined {
  if (!/^https?:/i.test(text)) return undefined;
  try {
    const url = new URL(text);
    return url.username === "" && url.password === "" ? url : undefined;
  } catch {
    return undefined;
  }
}
