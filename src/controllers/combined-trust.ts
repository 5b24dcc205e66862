import { textAt } from "../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { pemBlocks } from "../apimachinery/pem.ts";
import { parseCertificate } from "../apimachinery/x509/certificate.ts";
import { formatPem } from "../apimachinery/x509/certificate-writer.ts";
import type { RequestHeaderConfig } from "../authentication/contract/authentication-config.ts";

/** How a server authenticates. */
export interface OwnTrust {
  /** The present PEM of the authorities for client certificates; undefined for none. */
  readonly clientCa: (() => string) | undefined;
  readonly requestHeader: RequestHeaderConfig | undefined;
  /** Whether headers of proxies may have uids. */
  readonly hasUids: boolean;
}

/** Expired authorities are removed this long after their end. */
const slackMilliseconds = 5 * 60 * 1000;

/** What the ConfigMap about authentication contains. */
export interface CombinedTrust {
  readonly data: JsonObject;
  /** When the next authority is to be removed, in milliseconds since the epoch. */
  readonly end: number;
}

/**
 * The data of the ConfigMap about authentication, with what it has now and what this server adds; undefined if the present data cannot be
 * read. `now` is in milliseconds since the epoch.
 */
export function combinedTrust(present: JsonObject, own: OwnTrust, now: number): CombinedTrust | undefined {
  const { clientCa, requestHeader } = own;
  try {
    const client = combinedAuthorities(textAt(present, "client-ca-file"), clientCa?.() ?? "", now);
    const shown = textAt(present, "requestheader-client-ca-file");
    const proxy = combinedAuthorities(shown, requestHeader?.clientCa() ?? "", now);
    return {
      data: {
        ...(client.pem !== "" && { "client-ca-file": client.pem }),
        ...(proxy.pem !== "" && { ...headerData(present, own), "requestheader-client-ca-file": proxy.pem }),
      },
      end: Math.min(client.end, proxy.end),
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What the headers of proxies say. @throws {SyntaxError} for present data that is no list of texts */
function headerData(present: JsonObject, { requestHeader, hasUids }: OwnTrust): JsonObject {
  const list = (key: string, own: readonly string[] = []) =>
    combinedList(parsedList(textAt(present, key)), own);
  const uids = list("requestheader-uid-headers", requestHeader?.uidHeaders);
  return {
    "requestheader-username-headers": list("requestheader-username-headers", requestHeader?.usernameHeaders),
    ...(hasUids && uids !== "[]" && { "requestheader-uid-headers": uids }),
    "requestheader-group-headers": list("requestheader-group-headers", requestHeader?.groupHeaders),
    "requestheader-extra-headers-prefix": list(
      "requestheader-extra-headers-prefix",
      requestHeader?.extraHeaderPrefixes,
    ),
    "requestheader-allowed-names": list("requestheader-allowed-names", requestHeader?.allowedNames),
  };
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
function combinedAuthorities(
  present: string,
  own: string,
  now: number,
): { readonly pem: string; readonly end: number } {
  const valid = [present, own]
    .flatMap((text) =>
      pemBlocks(text).filter(({ label, hasHeaders }) => label === "CERTIFICATE" && !hasHeaders),
    )
    .map(({ bytes }) => ({ bytes, end: parseCertificate(bytes).notAfter + slackMilliseconds }))
    .filter(({ end }) => end > now);
  return {
    pem: [...new Set(valid.map(({ bytes }) => formatPem("CERTIFICATE", bytes)))].join(""),
    end: Math.min(...valid.map(({ end }) => end)),
  };
}
