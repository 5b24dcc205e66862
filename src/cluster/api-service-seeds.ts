import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { builtinPriority, customResourcePriority, type GroupPriority } from "../catalog/group-priority.ts";
import type { DeclaredApi } from "../lifecycle/declared-api.ts";
import { epoch } from "./seed-ownership.ts";

const label = "kube-aggregator.kubernetes.io/automanaged";

/** The versions that have an APIService from the start: all served ones but those of the aggregator's own group. */
export function registeredVersions(catalog: Catalog): readonly GroupVersion[] {
  return catalog.groupVersions().filter(({ group }) => group !== "apiregistration.k8s.io");
}

/**
 * The APIServices of the served groups and versions, which the server creates when it starts (kubernetes, pkg/controlplane/apiserver/aggregator.go).
 */
export function apiServiceObjects(catalog: Catalog): readonly ApiServiceObject[] {
  return registeredVersions(catalog).map((gv) => apiServiceObject(gv, builtinPriority(gv)));
}

/** The APIServices of declared APIs in a release. */
export function declaredApiServiceObjects(
  { release }: Pick<Catalog, "release">,
  apis: readonly DeclaredApi[],
): readonly ApiServiceObject[] {
  const objects = apis.flatMap(({ group, versionPrioritiesIn }) =>
    Array.from(versionPrioritiesIn(release), ([version, priority]) =>
      apiServiceObject({ group, version }, { ...customResourcePriority, version: priority }),
    ),
  );
  // Two kinds of a group may have the same version: the higher priority counts.
  const ordered = objects.toSorted((a, b) => a.spec.versionPriority - b.spec.versionPriority);
  return [...new Map(ordered.map((object) => [object.metadata.name, object])).values()];
}

/** An APIService as the server creates it. */
interface ApiServiceObject extends JsonObject {
  readonly metadata: JsonObject & { readonly name: string };
  readonly spec: JsonObject & { readonly versionPriority: number };
}

function apiServiceObject(
  { group, version }: GroupVersion,
  priority: GroupPriority | undefined,
): ApiServiceObject {
  const spec = {
    ...(group !== "" && { group }),
    version,
    groupPriorityMinimum: priority?.group ?? 0,
    versionPriority: priority?.version ?? 0,
  };
  const ownedSpec = Object.fromEntries(Object.keys(spec).map((field) => [`f:${field}`, {}]));
  return {
    metadata: {
      name: `${version}.${group}`,
      labels: { [label]: "onstart" },
      managedFields: [
        {
          manager: "kube-apiserver",
          operation: "Update",
          apiVersion: "apiregistration.k8s.io/v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:metadata": { "f:labels": { ".": {}, [`f:${label}`]: {} } }, "f:spec": ownedSpec },
        },
      ],
    },
    spec,
    status: {
      conditions: [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: epoch,
          reason: "Local",
          message: "Local APIServices are always available",
        },
      ],
    },
  };
}
