import type { Bindings } from "./bindings.ts";

/** Where a response differs from the recorded one. */
export interface Difference {
  readonly path: string;
  readonly recorded: unknown;
  readonly actual: unknown;
}

const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const timeKeys = /(Timestamp|Time|time|since)$/;

/** Every difference between two bodies, in order. Varying values are bound to each other. */
export function compare(recorded: unknown, actual: unknown, bindings: Bindings, path = ""): Difference[] {
  if (isObject(recorded) && isObject(actual)) {
    return compareObjects(recorded, actual, bindings, path);
  }
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    if (recorded.length !== actual.length) return [{ path: `${path}.length`, recorded, actual }];
    return recorded.flatMap((item, at) => compare(item, actual[at], bindings, `${path}[${at}]`));
  }
  if (recorded === actual) return [];
  if (typeof recorded === "string" && typeof actual === "string") {
    if (sameText(recorded, actual, bindings, path)) return [];
  }
  if (typeof recorded === "number" && typeof actual === "number") {
    if (sameNodePort(recorded, actual, bindings, path)) return [];
  }
  return [{ path, recorded, actual }];
}

function compareObjects(
  recorded: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  bindings: Bindings,
  path: string,
): Difference[] {
  const recordedKeys = Object.keys(recorded);
  const actualKeys = Object.keys(actual);
  if (recordedKeys.join() !== actualKeys.join()) {
    return [{ path: `${path}{}`, recorded: recordedKeys, actual: actualKeys }];
  }
  bindGeneratedName(recorded, actual, bindings);
  return recordedKeys.flatMap((key) => {
    const place = path === "" ? key : `${path}.${key}`;
    const [a, b] = [recorded[key], actual[key]];
    if (key !== "resourceVersion" || typeof a !== "string" || typeof b !== "string") {
      return compare(a, b, bindings, place);
    }
    // Lists and bookmarks have no name: their revision is that of a read.
    const isSame = "name" in recorded ? bindings.bindRevision(a, b) : bindings.bindRead(a, b);
    return isSame ? [] : [{ path: place, recorded: a, actual: b }];
  });
}

function bindGeneratedName(
  recorded: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  bindings: Bindings,
): void {
  const { generateName, name } = recorded;
  if (typeof generateName !== "string" || typeof name !== "string" || typeof actual["name"] !== "string")
    return;
  if (name.length === actual["name"].length) bindings.bind("name", name, actual["name"]);
}

function sameText(recorded: string, actual: string, bindings: Bindings, path: string): boolean {
  const key = path.slice(path.lastIndexOf(".") + 1);
  if (recorded === "…") return true;
  if (recorded === "<jwt>") return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(actual);
  if (recorded.startsWith("JTI=")) {
    return isUid(actual.replace("JTI=", "")) && bindings.bind("jti", recorded, actual);
  }
  if (key === "uid") return isUid(actual) && bindings.bind("uid", recorded, actual);
  if (timeKeys.test(key) && times.test(recorded)) return times.test(actual);
  if (key === "continue") return sameToken(recorded, actual, bindings);
  if (/\.cells\[\d+\]$/.test(path) && isAge(recorded) && isAge(actual)) return true;
  if (/\.clusterIPs?(\[0\])?$/.test(path) && areRandomIps(recorded, actual)) {
    return bindings.bind("clusterIP", recorded, actual);
  }
  return sameMessage(bindings.translate(recorded), actual);
}

/** Addresses of services are random; a dry run returns the network's. */
function areRandomIps(...ips: readonly string[]): boolean {
  return ips.every((ip) => /^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/.test(ip) && ip !== "10.96.0.0");
}

/** Node ports are random as well; those of a dry run are outside the range. */
function sameNodePort(recorded: number, actual: number, bindings: Bindings, path: string): boolean {
  if (!/odePort$/.test(path)) return false;
  if ([recorded, actual].some((port) => port < 30_000 || port > 32_767)) return false;
  return bindings.bind("nodePort", String(recorded), String(actual));
}

function isUid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
}

function isAge(cell: string): boolean {
  return /^(\d+[smhdy])+$/.test(cell) || times.test(cell);
}

/** Tokens contain the position where a list continues; their revision is the list's. */
function sameToken(recorded: string, actual: string, bindings: Bindings): boolean {
  const [a, b] = [decodeToken(recorded), decodeToken(actual)];
  if (a === undefined || b === undefined || a.start !== b.start) return false;
  return a.rv === b.rv || (b.rv > 0 && bindings.bindRead(String(a.rv), String(b.rv)));
}

function decodeToken(text: string): { readonly rv: number; readonly start: string } | undefined {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** Texts with a revision of the server or a generated name are compared without them. */
function sameMessage(recorded: string, actual: string): boolean {
  const masked = (text: string) =>
    text
      .replace(/current: \d+/g, "current: N")
      .replace(/too old resource version: \d+ \(\d+\)/g, "too old resource version: N (N)")
      .replace(/0xc[0-9a-f]{9}/g, "0xPOINTER")
      .replace(/response\.uid="[0-9a-f-]{36}"/g, 'response.uid="UID"')
      // A patched document in a message, with its varying parts.
      .replace(/,?\\"managedFields\\":\[[^\]]*\]/g, "")
      .replace(/\\"resourceVersion\\":\\"\d+\\"/g, '\\"resourceVersion\\":\\"N\\"')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
      .replace(/in record \(\d+\)/g, "in record (N)")
      .replace(/([-_])[bcdfghjklmnpqrstvwxz2456789]{5}(?=["\s]|$)/g, "$1XXXXX");
  return masked(recorded) === masked(actual);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
