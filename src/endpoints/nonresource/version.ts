import { genericServerResponse } from "../../apimachinery/errors/errors.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import type { EffectiveVersion } from "../../catalog/effective-version.ts";
import { encodePrettyJson } from "../../codec/json/json.ts";
import { checkProduces } from "../../codec/media-types/negotiation.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

/**
 * Answers `/version` with an indented document; undefined for other paths. The router serves it and the paths below
 * (apiserver, pkg/server/routes/version.go).
 * @throws {StatusError} the router's 404, 405 or 406
 */
export function handleVersion(
  context: RequestContext,
  { catalog }: EndpointEnvironment,
): EndpointResponse | undefined {
  const { path } = context;
  if (path !== "/version" && !path.startsWith("/version/")) return undefined;
  if (/[^/]/.test(path.slice("/version".length))) throw genericServerResponse(404);
  if (context.request.method !== "GET") throw genericServerResponse(405);
  checkProduces(context.request, ["application/json"]);
  const body = new TextEncoder().encode(encodePrettyJson(versionInfo(catalog.version)));
  return { status: 200, headers: [["Content-Type", "application/json"]], body };
}

/** The version of a server. A double has no commit and no build, as the fields for them tell. */
export function versionInfo({ binary, emulation, minCompatibility }: EffectiveVersion): JsonObject {
  const [major = "", minor = ""] = binary.split(".");
  const [emulationMajor = "", emulationMinor = ""] = emulation.split(".");
  const [minCompatibilityMajor = "", minCompatibilityMinor = ""] = minCompatibility.split(".");
  return {
    major,
    minor,
    ...(sinceOf(binary)("1.33") && {
      emulationMajor,
      emulationMinor,
      minCompatibilityMajor,
      minCompatibilityMinor,
    }),
    gitVersion: `v${binary}.0`,
    gitCommit: "kubedouble",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "kubedouble",
    compiler: "kubedouble",
    platform: "linux/amd64",
  };
}
