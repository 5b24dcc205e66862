import { plainError } from "../../../apimachinery/errors/errors.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Encodable, transient } from "../../../codec/encodable.ts";
import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import { labelsOf } from "../../../registry/contract/selection-predicate.ts";

/** The components, the ports of their health checks, and the parts of a simulation that play them. The store is always healthy. */
const components: ReadonlyMap<string, readonly [port: number, part: string] | undefined> = new Map([
  ["scheduler", [10259, "scheduler"]],
  ["controller-manager", [10257, "workloads"]],
  ["etcd-0", undefined],
]);

/** ComponentStatuses are computed for each request and have no resourceVersion. */
export function componentStatusRest(
  definition: ResourceDefinition,
  { simulation }: Pick<RegistryOptions, "simulation">,
): Rest {
  const componentStatus = (name: string) => statusOf(name, definition, simulation);
  return {
    definition,
    get: ({ name }) => {
      if (!components.has(name)) throw plainError(500, `Component not found: ${name}`);
      return componentStatus(name);
    },
    list: ({ predicate }) => ({
      items: [...components.keys()]
        .map(componentStatus)
        .filter(({ value }) => predicate.selects({ value, labels: labelsOf(value) })),
      resourceVersion: "",
      continueToken: undefined,
      remainingItemCount: undefined,
    }),
  };
}

function statusOf(
  name: string,
  definition: ResourceDefinition,
  simulation: RegistryOptions["simulation"],
): Encodable {
  const [port, part = ""] = components.get(name) ?? [];
  const status = {
    kind: definition.gvk.kind,
    apiVersion: formatGroupVersion(definition.gvk),
    metadata: { name },
    conditions: [healthOf(simulation.includes(part) ? undefined : port)],
  };
  return transient(definition.schema.canonicalize(status));
}

function healthOf(port: number | undefined): JsonObject {
  if (port === undefined) return { type: "Healthy", status: "True", message: "ok" };
  const address = `127.0.0.1:${port}`;
  const refused = `dial tcp ${address}: connect: connection refused`;
  return { type: "Healthy", status: "False", message: `Get "https://${address}/healthz": ${refused}` };
}
