import { expect, test } from "vitest";
import { catalogOf } from "../catalog/catalog.ts";
import type { CelType } from "../cel/types/cel-type.ts";
import { formatType } from "../cel/types/format-type.ts";
import { builtInKindSchema } from "./built-in-schema.ts";
import { objectCelType } from "./object-cel-type.ts";

/** The type at a path; `@` stands for an item of a list or a value of a map. */
function typeAt(root: CelType | undefined, path: string): string {
  let type = root;
  for (const step of path.split(".")) type = step === "@" ? type?.parameters.at(-1) : type?.field?.(step);
  return type === undefined ? "undeclared" : formatType(type);
}

test.each([
  ["apps", "Deployment", "kind", "string"],
  ["apps", "Deployment", "spec.replicas", "int"],
  ["apps", "Deployment", "spec.paused", "bool"],
  ["apps", "Deployment", "metadata.labels", "map(string, string)"],
  ["apps", "Deployment", "metadata.creationTimestamp", "timestamp"],
  ["apps", "Deployment", "spec.strategy.rollingUpdate.maxSurge", "dyn"],
  ["apps", "Deployment", "spec.template.spec.containers.@.name", "string"],
  ["apps", "Deployment", "spec.template.spec.containers.@.resources.limits", "undeclared"],
  ["apps", "Deployment", "spec.none", "undeclared"],
  ["", "Namespace", "metadata.__namespace__", "string"],
  ["", "Namespace", "metadata.namespace", "undeclared"],
  ["", "Secret", "data", "map(string, bytes)"],
  ["apps", "ControllerRevision", "data.anything", "undeclared"],
  [
    "apiextensions.k8s.io",
    "CustomResourceDefinition",
    "spec.versions.@.schema.openAPIV3Schema.not",
    "d.spec.versions.@idx.schema.openAPIV3Schema.not",
  ],
  [
    "apiextensions.k8s.io",
    "CustomResourceDefinition",
    "spec.versions.@.schema.openAPIV3Schema.not.not",
    "undeclared",
  ],
])("in %s %s, the type of %s is %s", (group, kind, path, expected) => {
  const schema = builtInKindSchema(catalogOf({ release: "1.32" }), { group, version: "v1", kind });
  if (schema === undefined) throw new Error(`${kind} is not known`);
  expect(typeAt(objectCelType(schema, "d"), path)).toBe(expected);
});
