import { textsAt } from "../../apimachinery/fields.ts";
import { discoveryOf } from "../../served/discovery/discovery.ts";
import { rootPaths } from "../../served/discovery/discovery-documents.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { healthCheckPaths } from "./health-checks.ts";

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
