import { textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { discoveryOf } from "../../served/discovery/discovery.ts";
import {
  type DiscoveryGroup,
  type DiscoveryVersion,
  groupVersionOf,
} from "../../served/discovery/discovery-group.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { healthChecksOf } from "./health-checks.ts";

/** The paths that belong to no group and version, and the gates of those that not every server has. */
const otherPaths: readonly (readonly [path: string, gate?: string])[] = [
  ["/.well-known/openid-configuration", "ServiceAccountIssuerDiscovery"],
  ["/flagz", "ComponentFlagz"],
  ["/metrics"],
  ["/metrics/slis", "ComponentSLIs"],
  ["/openapi/v2"],
  ["/openapi/v3", "OpenAPIV3"],
  ["/openapi/v3/", "OpenAPIV3"],
  ["/openid/v1/jwks", "ServiceAccountIssuerDiscovery"],
  ["/statusz", "ComponentStatusz"],
  ["/version"],
];

/** The paths in the document at `/`, sorted. Those for debugging are not among them. */
export function listedPaths({ served, gates, debugging }: EndpointEnvironment): readonly string[] {
  const others = otherPaths.filter(([, gate]) => gate === undefined || gates.isEnabled(gate));
  const paths = [...others.map(([path]) => path), ...healthCheckPaths(gates)];
  if (debugging.logsHandler) paths.push("/logs");
  return textsAt(rootPaths(discoveryOf(served.current).groups, paths), "paths");
}

/** `/healthz`, `/livez`, `/readyz` and the path of every check below them. */
export function healthCheckPaths(gates: FeatureGates): readonly string[] {
  const checks = healthChecksOf(gates);
  return ["healthz", "livez", "readyz"].flatMap((endpoint) => [
    `/${endpoint}`,
    ...checks
      .filter((check) => endpoint === "readyz" || !check.readyOnly)
      .map(({ name }) => `/${endpoint}/${name}`),
  ]);
}

/** `/`: all paths. `others` are those that belong to no group or version, such as `/healthz`. */
export function rootPaths(groups: readonly DiscoveryGroup[], others: readonly string[]): JsonObject {
  const paths = new Set([...others, "/api", "/apis", "/apis/"]);
  for (const group of groups) {
    if (group.name !== "") paths.add(`/apis/${group.name}`);
    for (const version of group.versions) paths.add(pathOf(group, version));
  }
  return { paths: [...paths].sort() };
}

function pathOf(group: DiscoveryGroup, version: DiscoveryVersion): string {
  return `${group.name === "" ? "/api" : "/apis"}/${groupVersionOf(group, version)}`;
}
