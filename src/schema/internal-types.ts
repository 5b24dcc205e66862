import type { GoShape, GoTypes } from "../apimachinery/go/go-shape.ts";
import type { GroupVersion } from "../apimachinery/group-version.ts";
import { releases, type Since } from "../apimachinery/release.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { isNamedType } from "./go-type-name.ts";
import { basicShapes, internalPackage, internalShape } from "./internal-shape.ts";

/** The package of types that belong to no group, such as ObjectMeta. */
export const metaV1: GroupVersion = { group: "meta", version: "v1" };

/**
 * The internal Go types of a release. The types of a group follow from its version `stored`, in which the registry
 * validates objects.
 */
export function internalTypes(since: Since, stored: GroupVersion): GoTypes {
  const typeOf: GoTypes = (name) => {
    if (name.startsWith("[]")) return { kind: "slice", type: name, element: typeOf(name.slice("[]".length)) };
    const [, values] = /^map\[string\](.*)/.exec(name) ?? [];
    if (values !== undefined) return { kind: "map", type: name, keyMark: "", values: typeOf(values) };
    return basicShapes.get(name) ?? declaredType(since, stored, name);
  };
  return typeOf;
}

function declaredType(since: Since, stored: GroupVersion, name: string): GoShape {
  const [goPackage = "", type = ""] = name.split(".");
  const release = releases.findLast((one) => since(one)) ?? releases[0];
  const catalog = catalogOf({ release });
  for (const gv of [metaV1, stored, ...catalog.groupVersions()]) {
    const schema = internalPackage(gv) === goPackage ? catalog.type(gv, type) : undefined;
    if (schema?.type === "struct") return internalShape(schema);
  }
  if (isNamedType(type)) return { kind: "text" };
  throw new Error(`${release} has no Go type ${name}`);
}
