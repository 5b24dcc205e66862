import { plainError } from "../../../apimachinery/errors/errors.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Encodable, transient } from "../../../codec/encodable.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import { labelsOf } from "../../../registry/contract/selection-predicate.ts";

/** The components and the ports of their health checks. Only the store is always healthy. */
const components: ReadonlyMap<string, number | undefined> = new Map([
  ["scheduler", 10259],
  ["controller-manager", 10257],
  ["etcd-0", undefined],
]);

/** ComponentStatuses are computed for each request and have no resourceVersion. */
export function componentStatusRest(definition: ResourceDefinition): Rest {
  return {
    definition,
    get: ({ name }) => {
      if (!components.has(name)) throw plainError(500, `Component not found: ${name}`);
      return componentStatus(name, definition);
    },
    list: ({ predicate }) => ({
      items: [...components.keys()]
        .map((name) => componentStatus(name, definition))
        .filter(({ value }) => predicate.selects({ value, labels: labelsOf(value) })),
      resourceVersion: "",
      continueToken: undefined,
      remainingItemCount: undefined,
    }),
  };
}

function componentStatus(name: string, definition: ResourceDefinition): Encodable {
  const status = {
    kind: definition.gvk.kind,
    apiVersion: formatGroupVersion(definition.gvk),
    metadata: { name },
    conditions: [healthOf(components.get(name))],
  };
  return transient(definition.schema.canonicalize(status));
}

function healthOf(port: number | undefined): JsonObject {
  if (port === undefined) return { type: "Healthy", status: "True", message: "ok" };
  const address = `127.0.0.1:${port}`;
  const refused = `dial tcp ${address}: connect: connection refused`;
  return { type: "Healthy", status: "False", message: `Get "https://${address}/healthz": ${refused}` };
}
