import type { GroupKind } from "../../../apimachinery/group-version.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** The key of an object in a queue: `namespace/name`. */
export function keyOf({ metadata: { namespace = "", name = "" } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** The two parts of a key. */
export function namesOf(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}

/** Whether an object is of a kind, in any version: custom resources may have kinds of the same name. */
export function isOfKind({ apiVersion, kind }: KubeObject, { group, kind: wanted }: GroupKind): boolean {
  if (kind !== wanted) return false;
  return group === "" ? !apiVersion.includes("/") : apiVersion.startsWith(`${group}/`);
}

/** Whether an object waits for the end of its deletion. */
export function isTerminating({ metadata }: KubeObject): boolean {
  return Boolean(metadata.deletionTimestamp);
}
