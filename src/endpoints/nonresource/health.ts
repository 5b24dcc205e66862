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

/** Answers `/healthz`, `/livez`, `/readyz` and the checks below them, with any method; undefined for other paths. */
export function handleHealth(
  context: RequestContext,
  { metrics }: EndpointEnvironment,
): EndpointResponse | undefined {
  const [, endpoint = "", ...rest] = context.path.split("/");
  if (!endpoints.has(endpoint)) return undefined;
  const checks = healthChecks.filter((check) => endpoint === "readyz" || !check.readyOnly);
  const names = checks.map(({ name }) => name);
  if (rest.length > 0) return names.includes(rest.join("/")) ? sniffedText(200, "ok") : pageNotFound();
  const excluded = context.query.getAll("exclude");
  for (const name of names) if (!excluded.includes(name)) metrics.countHealthCheck(name, endpoint);
  return plainText(200, context.query.has("verbose") ? verboseReport(endpoint, names, excluded) : "ok");
}

function verboseReport(endpoint: string, names: readonly string[], excluded: readonly string[]): string {
  const lines = names.map((name) => `[+]${name} ${excluded.includes(name) ? "excluded: " : ""}ok\n`);
  const unknown = excluded.filter((name) => !names.includes(name)).map(goQuote);
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(",")}\n`);
  }
  return `${lines.join("")}${endpoint} check passed\n`;
}
