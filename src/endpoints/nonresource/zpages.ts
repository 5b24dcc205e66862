import { notAcceptable } from "../../apimachinery/errors/errors.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { type AcceptClause, parseAccept } from "../../codec/media-types/media-type.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, plainText, sniffedText } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { listedPaths } from "./listed-paths.ts";
import { versionInfo } from "./version.ts";

/** A page about the server: as text, and since 1.35 as an object. */
interface Page {
  readonly kind: "Statusz" | "Flagz";
  readonly text: () => string;
  readonly fields: () => JsonObject;
}

/**
 * Answers `/statusz` and `/flagz`, which have gates (component-base, zpages; since 1.35 apiserver, pkg/server/statusz and flagz);
 * undefined if their gate is off.
 * @throws {StatusError} notAcceptable
 */
export function serveZpage(
  context: RequestContext,
  environment: EndpointEnvironment,
): EndpointResponse | undefined | Promise<EndpointResponse> {
  const { gates } = environment;
  const page = context.path === "/statusz" ? statusz(context, environment) : flagz(environment);
  if (!gates.isEnabled(`Component${page.kind}`)) return undefined;
  const accept = context.request.headers.get("accept") ?? "";
  const clauses = parseAccept(accept);
  if (!gates.since("1.35")) {
    const isAccepted = clauses.some((clause) => isText(clause) && hasTextParameters(clause));
    return isAccepted
      ? sniffedText(200, page.text())
      : plainText(406, "media type not acceptable, must be: text/plain\n");
  }
  if (accept.trim() === "") return sniffedText(200, page.text());
  const types = structuredTypes(environment);
  for (const clause of clauses) {
    if (isObjectOf(page, clause, types, environment)) return objectOf(page, clause, environment);
    if (isText(clause) && !clause.params.has("as")) return sniffedText(200, page.text());
  }
  throw notAcceptable(`only the following media types are accepted: ${[...types, "text/plain"].join(", ")}`);
}

function structuredTypes({ gates }: EndpointEnvironment): readonly string[] {
  if (!gates.since("1.36")) return ["application/json"];
  const cbor = gates.isEnabled("CBORServingAndStorage") ? ["application/cbor"] : [];
  return ["application/json", "application/yaml", ...cbor];
}

function isText({ type, subtype }: AcceptClause): boolean {
  return (type === "text" || type === "*") && (subtype === "plain" || subtype === "*");
}

function hasTextParameters({ params }: AcceptClause): boolean {
  if (params.size === 0) return true;
  return params.size === 1 && params.get("charset")?.toLowerCase() === "utf-8";
}

/** An object must be asked for with its kind: `application/json;as=Statusz;g=config.k8s.io;v=v1beta1`. */
function isObjectOf(
  { kind }: Page,
  { type, subtype, params }: AcceptClause,
  types: readonly string[],
  { gates }: EndpointEnvironment,
): boolean {
  const versions = gates.since("1.36") ? ["v1alpha1", "v1beta1"] : ["v1alpha1"];
  return (
    types.includes(`${type}/${subtype}`) &&
    params.get("as") === kind &&
    params.get("g") === "config.k8s.io" &&
    versions.includes(params.get("v") ?? "")
  );
}

async function objectOf(
  { kind, fields }: Page,
  { type, subtype, params }: AcceptClause,
  { gates }: EndpointEnvironment,
): Promise<EndpointResponse> {
  const version = params.get("v") ?? "";
  const object = {
    kind,
    apiVersion: `config.k8s.io/${version}`,
    metadata: { name: component },
    ...fields(),
  };
  const headers: (readonly [string, string])[] = [["Content-Type", `${type}/${subtype}`]];
  if (gates.since("1.36") && version === "v1alpha1") {
    const text = `This version of the ${kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`;
    headers.push(["Warning", `299 - "${text}"`]);
  }
  return { status: 200, headers, body: await encoded(object, subtype) };
}

async function encoded(object: JsonObject, subtype: string): Promise<Uint8Array> {
  if (subtype === "cbor") return (await import("../../codec/cbor/cbor.ts")).encodeCbor(object);
  const text =
    subtype === "yaml"
      ? (await import("../../codec/yaml/yaml.ts")).encodeYaml(object)
      : `${encodeJson(object)}\n`;
  return new TextEncoder().encode(text);
}

const component = "kube-apiserver";
const warning =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n";

/** The separator is random, so that no program depends on it. */
const separators: readonly string[] = [":", ": ", "=", " "];

function separatorOf({ random }: EndpointEnvironment): string {
  return separators[Math.floor(random() * separators.length)] ?? ":";
}

function statusz({ now }: RequestContext, environment: EndpointEnvironment): Page {
  const { catalog, gates, startedAt } = environment;
  const { gitVersion, goVersion } = versionInfo(catalog.version);
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000));
  const status = {
    startTime: formatTime(startedAt),
    uptimeSeconds: seconds,
    goVersion: String(goVersion),
    binaryVersion: String(gitVersion).slice(1),
    emulationVersion: catalog.version.emulation,
    paths: debuggingPaths(listedPaths(environment)),
  };
  const text = (): string => {
    const is = separatorOf(environment);
    const paths = gates.since("1.35")
      ? status.paths.join(" ")
      : status.paths.map((path) => ` ${path}`).join("");
    const lines = [
      `Started${is} ${unixDate(startedAt)}`,
      `Up${is} ${upTime(seconds)}`,
      `Go version${is} ${status.goVersion}`,
      `Binary version${is} ${status.binaryVersion}`,
      `Emulation version${is} ${status.emulationVersion}`,
      ...(gates.since("1.34") ? [`Paths${is} ${paths}`] : []),
    ];
    return `\n${component} statusz\n${warning}\n${lines.join("\n")}\n`;
  };
  return { kind: "Statusz", text, fields: () => status };
}

/** Go's `time.UnixDate` in UTC. */
function unixDate(milliseconds: number): string {
  const [, day = "", date = "", month = "", year = "", time = ""] =
    /^(\w+), 0?(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(milliseconds).toUTCString()) ?? [];
  return `${day} ${month} ${date.padStart(2)} ${time} UTC ${year}`;
}

function upTime(seconds: number): string {
  const twoDigits = (value: number): string => String(Math.floor(value) % 60).padStart(2, "0");
  return `${Math.floor(seconds / 3600)} hr ${twoDigits(seconds / 60)} min ${twoDigits(seconds)} sec`;
}

const apiPaths: ReadonlySet<string> = new Set(["/apis", "/api", "/openid", "/openapi", "/.well-known", "/"]);

/** The first segments of sorted paths that belong to no API. */
function debuggingPaths(paths: readonly string[]): readonly string[] {
  const folders = paths.map((path) => `/${path.split("/")[1]}`);
  return [...new Set(folders)].filter((folder) => !apiPaths.has(folder));
}

function flagz(environment: EndpointEnvironment): Page {
  const { gates, debugging } = environment;
  const entries = [...debugging.flags()].sort(([a], [b]) => compareText(a, b));
  const text = (): string => {
    const head = gates.since("1.35") ? `flagz\n${warning}` : `flags\n${warning}\n`;
    const is = separatorOf(environment);
    return `\n${component} ${head}${entries.map(([name, value]) => `${name}${is}${value}\n`).join("")}`;
  };
  return { kind: "Flagz", text, fields: () => ({ flags: Object.fromEntries(entries) }) };
}
