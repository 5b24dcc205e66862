import { textAt } from "../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { pemBlocks } from "../apimachinery/pem.ts";
import { parseCertificate } from "../apimachinery/x509/certificate.ts";
import { formatPem } from "../apimachinery/x509/certificate-writer.ts";
import type { RequestHeaderConfig } from "../authentication/contract/authentication-config.ts";

/** How a server authenticates. */
export interface PublishedTrust {
  /** The present PEM of the authorities for client certificates; undefined for none. */
  readonly clientCa: (() => string) | undefined;
  readonly requestHeader: RequestHeaderConfig | undefined;
  /** Whether headers of proxies may have uids. */
  readonly hasUids: boolean;
}

/** Expired authorities are removed this long after their end. */
const slackMilliseconds = 5 * 60 * 1000;

/**
 * The data of the ConfigMap about authentication, with what it has now and what this server adds; undefined if the present data cannot be
 * read. `now` is in milliseconds since the epoch.
 */
export function combinedTrust(
  present: JsonObject,
  { clientCa, requestHeader, hasUids }: PublishedTrust,
  now: number,
): JsonObject | undefined {
  const authorities = (key: string, own: string) => combinedAuthorities(textAt(present, key), own, now);
  const list = (key: string, own: readonly string[]) => combinedList(parsedList(textAt(present, key)), own);
  try {
    const client = authorities("client-ca-file", clientCa?.() ?? "");
    const proxy = authorities("requestheader-client-ca-file", requestHeader?.clientCa() ?? "");
    const shown = client === "" ? {} : { "client-ca-file": client };
    if (proxy === "") return shown;
    const uids = list("requestheader-uid-headers", requestHeader?.uidHeaders ?? []);
    return {
      ...shown,
      "requestheader-username-headers": list(
        "requestheader-username-headers",
        requestHeader?.usernameHeaders ?? [],
      ),
      ...(hasUids && uids !== "[]" && { "requestheader-uid-headers": uids }),
      "requestheader-group-headers": list("requestheader-group-headers", requestHeader?.groupHeaders ?? []),
      "requestheader-extra-headers-prefix": list(
        "requestheader-extra-headers-prefix",
        requestHeader?.extraHeaderPrefixes ?? [],
      ),
      "requestheader-client-ca-file": proxy,
      "requestheader-allowed-names": list("requestheader-allowed-names", requestHeader?.allowedNames ?? []),
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @throws {SyntaxError} for text that is no list of texts */
function parsedList(text: string): readonly string[] {
  if (text === "") return [];
  const list: JsonValue = JSON.parse(text);
  if (Array.isArray(list) && list.every((value) => typeof value === "string")) return list;
  throw new SyntaxError("not a list of texts");
}

function combinedList(present: readonly string[], own: readonly string[]): string {
  return JSON.stringify([...new Set([...present, ...own])]);
}

/** Each certificate once, without those that have expired. @throws {RangeError} for one that is no X.509 certificate */
function combinedAuthorities(present: string, own: string, now: number): string {
  const blocks = [present, own].flatMap((text) =>
    pemBlocks(text).filter(({ label, hasHeaders }) => label === "CERTIFICATE" && !hasHeaders),
  );
  const valid = blocks.filter(({ bytes }) => parseCertificate(bytes).notAfter > now - slackMilliseconds);
  return [...new Set(valid.map(({ bytes }) => formatPem("CERTIFICATE", bytes)))].join("");
}
