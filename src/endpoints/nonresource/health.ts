import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { RequestContext } from "../../request/request-context.ts";
import {
  type EndpointResponse,
  pageNotFound,
  plainText,
  sniffedText,
} from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { healthChecksOf } from "./health-checks.ts";

const endpoints: ReadonlySet<string> = new Set(["healthz", "livez", "readyz"]);

type Answering = EndpointResponse | Promise<EndpointResponse>;

/**
 * Answers `/healthz`, `/livez`, `/readyz` and the checks below them, with any method; undefined for other paths. Upstream:
 * apiserver, pkg/server/healthz.
 */
export function handleHealth(
  context: RequestContext,
  environment: EndpointEnvironment,
): Answering | undefined {
  const [, endpoint = "", ...rest] = context.path.split("/");
  if (!endpoints.has(endpoint)) return undefined;
  const checks = healthChecksOf(environment.gates).filter(
    (check) => endpoint === "readyz" || !check.readyOnly,
  );
  const names = checks.map(({ name }) => name);
  if (rest.length > 0) {
    const name = rest.join("/");
    if (!names.includes(name)) return pageNotFound();
    return afterDelays([name], endpoint, environment, () => singleCheck(endpoint, name, environment));
  }
  const excluded = context.query.getAll("exclude");
  const included = names.filter((name) => !excluded.includes(name));
  return afterDelays(included, endpoint, environment, () =>
    allChecks(context, environment, { endpoint, names, excluded }),
  );
}

/** The checks run one after the other, so their delays add up. */
function afterDelays(
  names: readonly string[],
  endpoint: string,
  environment: EndpointEnvironment,
  answer: () => EndpointResponse,
): Answering {
  const { interventions, clock } = environment;
  for (const [i, name] of names.entries()) {
    const waiting = isInGrace(name, endpoint, environment)
      ? undefined
      : interventions.health.wait(name, clock);
    if (waiting === undefined) continue;
    return waiting.then(() => afterDelays(names.slice(i + 1), endpoint, environment, answer));
  }
  return answer();
}

interface HealthRequest {
  readonly endpoint: string;
  readonly names: readonly string[];
  readonly excluded: readonly string[];
}

function allChecks(
  context: RequestContext,
  environment: EndpointEnvironment,
  { endpoint, names, excluded }: HealthRequest,
): EndpointResponse {
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

function singleCheck(endpoint: string, name: string, environment: EndpointEnvironment): EndpointResponse {
  const error = errorOf(name, endpoint, environment);
  return error === undefined ? sniffedText(200, "ok") : plainText(500, `internal server error: ${error}\n`);
}

function errorOf(name: string, endpoint: string, environment: EndpointEnvironment): string | undefined {
  if (isInGrace(name, endpoint, environment)) return undefined;
  return environment.interventions.health.errorOf(name);
}

/**
 * During the grace period after the start, what the server does then does not count for `/livez`. Upstream: `AddBootSequenceHealthChecks` of
 * apiserver, pkg/server/healthz.go.
 */
function isInGrace(
  name: string,
  endpoint: string,
  { clock, startedAt, livezGraceMilliseconds }: EndpointEnvironment,
): boolean {
  if (endpoint !== "livez" || clock.now() > startedAt + livezGraceMilliseconds) return false;
  return livezGraceMilliseconds > 0 && isOfBootSequence(name);
}

function isOfBootSequence(name: string): boolean {
  return name.startsWith("poststarthook/") || name === "autoregister-completion";
}

function warningAbout(excluded: readonly string[], names: readonly string[]): string {
  const unknown = excluded.filter((name) => !names.includes(name)).map(goQuote);
  if (unknown.length === 0) return "";
  return `warn: some health checks cannot be excluded: no matches for ${unknown.join(",")}\n`;
}
