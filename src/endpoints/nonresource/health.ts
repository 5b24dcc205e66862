import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { RequestContext } from "../../request/request-context.ts";
import {
  type EndpointResponse,
  pageNotFound,
  plainText,
  sniffedText,
} from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { healthChecks } from "./health-checks.ts";

const endpoints: ReadonlySet<string> = new Set(["healthz", "livez", "readyz"]);

/**
 * Answers `/healthz`, `/livez`, `/readyz` and the checks below them, with any method; undefined for other paths. Upstream:
 * apiserver, pkg/server/healthz.
 */
export function handleHealth(
  context: RequestContext,
  environment: EndpointEnvironment,
): EndpointResponse | undefined {
  const [, endpoint = "", ...rest] = context.path.split("/");
  if (!endpoints.has(endpoint)) return undefined;
  const checks = healthChecks.filter((check) => endpoint === "readyz" || !check.readyOnly);
  const names = checks.map(({ name }) => name);
  if (rest.length > 0) return singleCheck(endpoint, rest.join("/"), names, environment);
  const excluded = context.query.getAll("exclude");
  const results = names.map((name) => {
    if (excluded.includes(name)) return { name, line: `[+]${name} excluded: ok\n`, isFailing: false };
    environment.metrics.countHealthCheck(name, endpoint);
    const isFailing = errorOf(name, endpoint, environment) !== undefined;
    const line = isFailing ? `[-]${name} failed: reason withheld\n` : `[+]${name} ok\n`;
    return { name, line, isFailing };
  });
  const isFailing = results.some((result) => result.isFailing);
  if (!isFailing && !context.query.has("verbose")) return plainText(200, "ok");
  const lines = results.map(({ line }) => line).join("") + warningAbout(excluded, names);
  return isFailing
    ? plainText(500, `${lines}${endpoint} check failed\n`)
    : plainText(200, `${lines}${endpoint} check passed\n`);
}

function singleCheck(
  endpoint: string,
  name: string,
  names: readonly string[],
  environment: EndpointEnvironment,
): EndpointResponse {
  if (!names.includes(name)) return pageNotFound();
  const error = errorOf(name, endpoint, environment);
  return error === undefined ? sniffedText(200, "ok") : plainText(500, `internal server error: ${error}\n`);
}

/** During the grace period after the start, the hooks that run then do not count for `/livez`. */
function errorOf(
  name: string,
  endpoint: string,
  { interventions, clock, startedAt, livezGraceMilliseconds }: EndpointEnvironment,
): string | undefined {
  const isYoung = clock.now() < startedAt + livezGraceMilliseconds;
  if (endpoint === "livez" && isYoung && name.startsWith("poststarthook/")) return undefined;
  return interventions.health.errorOf(name);
}

function warningAbout(excluded: readonly string[], names: readonly string[]): string {
  const unknown = excluded.filter((name) => !names.includes(name)).map(goQuote);
  if (unknown.length === 0) return "";
  return `warn: some health checks cannot be excluded: no matches for ${unknown.join(",")}\n`;
}
