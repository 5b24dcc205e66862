import { describe, expect, test } from "vitest";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { type ApplyType, deducedType } from "./apply-type.ts";
import { builtinType } from "./builtin-type.ts";

/** The type at a path: `[]` for the items of a list, `{}` for the values of a map. */
function typeAt(apiVersion: string, kind: string, path: string, release = "1.32"): ApplyType {
  const gv = parseGroupVersion(apiVersion);
  const schema = gv && catalogOf({ release }).kind({ ...gv, kind });
  if (schema === undefined) throw new Error(`there is no ${apiVersion} ${kind} in ${release}`);
  return path.split(".").reduce<ApplyType>((type, step) => stepInto(type, step), builtinType(schema));
}

function stepInto({ list, map }: ApplyType, step: string): ApplyType {
  const part = step === "[]" ? list?.items : (map?.fields.get(step)?.type ?? map?.values);
  if (part === undefined) throw new Error(`there is no ${step}`);
  return part;
}

/** `set`, `map by name`, `atomic list`, `granular map` or `string`; several if the value may be any of them. */
function describeType({ scalar, list, map }: ApplyType): string {
  const parts: string[] = [];
  if (scalar !== undefined) parts.push(scalar);
  if (list?.topology === "map") parts.push(`list by ${list.keys.map(({ name }) => name).join(" and ")}`);
  else if (list !== undefined) parts.push(list.topology === "set" ? "set" : "atomic list");
  if (map !== undefined) parts.push(`${map.topology} ${map.fields.size > 0 ? "structure" : "map"}`);
  return parts.join(" or ");
}

describe("in release 1.32", () => {
  test.each([
    ["v1", "Pod", "apiVersion", "string"],
    ["v1", "Pod", "metadata", "granular structure"],
    ["v1", "Pod", "metadata.labels", "granular map"],
    ["v1", "Pod", "metadata.finalizers", "set"],
    ["v1", "Pod", "metadata.ownerReferences", "list by uid"],
    ["v1", "Pod", "metadata.ownerReferences.[]", "atomic structure"],
    ["v1", "Pod", "metadata.creationTimestamp", "untyped"],
    ["v1", "Pod", "metadata.generation", "numeric"],
    ["v1", "Pod", "spec.containers", "list by name"],
    ["v1", "Pod", "spec.containers.[].ports", "list by containerPort and protocol"],
    ["v1", "Pod", "spec.containers.[].command", "atomic list"],
    ["v1", "Pod", "spec.containers.[].resources.limits", "granular map"],
    ["v1", "Pod", "spec.containers.[].resources.limits.{}", "untyped"],
    ["v1", "Pod", "spec.containers.[].stdin", "boolean"],
    ["v1", "Pod", "spec.nodeSelector", "atomic map"],
    ["v1", "Pod", "spec.tolerations", "atomic list"],
    ["v1", "Pod", "spec.topologySpreadConstraints", "list by topologyKey and whenUnsatisfiable"],
    ["v1", "Pod", "spec.volumes.[].emptyDir", "granular structure"],
    ["v1", "Service", "spec.ports", "list by port and protocol"],
    ["v1", "Service", "spec.ports.[].targetPort", "untyped or atomic list or granular map"],
    ["v1", "Service", "spec.selector", "atomic map"],
    ["v1", "Secret", "data.{}", "string"],
    ["v1", "ConfigMap", "binaryData", "granular map"],
    ["authorization.k8s.io/v1", "SubjectAccessReview", "spec.extra.{}", "atomic list"],
    ["apps/v1", "Deployment", "spec.selector", "atomic structure"],
    ["networking.k8s.io/v1", "Ingress", "spec.rules", "atomic list"],
    ["rbac.authorization.k8s.io/v1", "ClusterRole", "rules", "atomic list"],
    ["apps/v1", "ControllerRevision", "data", "untyped or atomic list or atomic map"],
  ])("%s %s %s is: %s", (apiVersion, kind, path, expected) => {
    expect(describeType(typeAt(apiVersion, kind, path))).toBe(expected);
  });
});

describe("in a release without list types", () => {
  test.each([
    ["1.20", "v1", "Pod", "spec.volumes", "list by name"],
    ["1.20", "v1", "Pod", "metadata.finalizers", "set"],
    ["1.20", "v1", "Pod", "spec.tolerations", "atomic list"],
    ["1.20", "apps/v1", "Deployment", "spec.template.spec.containers", "list by name"],
  ])("release %s, %s %s: the merge strategy makes %s: %s", (release, apiVersion, kind, path, expected) => {
    expect(describeType(typeAt(apiVersion, kind, path, release))).toBe(expected);
  });
});

describe("a key that an item omits", () => {
  const defaultOf = (apiVersion: string, kind: string, path: string, name: string, release?: string) =>
    typeAt(apiVersion, kind, path, release).list?.keys.find((key) => key.name === name)?.default;

  test("has the declared default", () => {
    expect(defaultOf("v1", "Service", "spec.ports", "protocol")).toBe("TCP");
    expect(defaultOf("v1", "Pod", "spec.containers.[].ports", "protocol")).toBe("TCP");
  });

  test("has the zero value if Go always writes it", () => {
    expect(defaultOf("v1", "Pod", "spec.containers", "name")).toBe("");
    expect(defaultOf("v1", "Service", "spec.ports", "port")).toBe(0);
  });

  test("has no default if Go omits the zero value", () => {
    expect(defaultOf("v1", "Pod", "spec.imagePullSecrets", "name", "1.28")).toBeUndefined();
  });
});

test("a structure without fields may have any content, and others only their fields", () => {
  const path = "spec.versions.[].subresources";
  const valuesOf = (more: string) =>
    typeAt("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${path}${more}`).map?.values;
  expect([valuesOf(""), valuesOf(".status")]).toEqual([undefined, deducedType]);
});

test("the type of a structure is always the same object", () => {
  expect(typeAt("v1", "Pod", "spec")).toBe(typeAt("v1", "PodTemplate", "template.spec"));
});
