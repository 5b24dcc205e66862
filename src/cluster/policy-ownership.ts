import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { type Release, sinceOf } from "../apimachinery/release.ts";

const group = "rbac.authorization.k8s.io/";

/** Whether an object is a role or a binding. */
export function isPolicy({ apiVersion }: JsonObject): boolean {
  return String(apiVersion).startsWith(group);
}

/**
 * The fields of a role or binding that its creator owns, as `fieldsV1`. They follow from its names alone: its lists have one owner as a
 * whole, and from 1.22 on so has the reference to a role.
 */
export function fieldsOfPolicy({ metadata, ...content }: KubeObject, release: Release): JsonObject {
  const { labels, annotations } = metadata;
  const roleRef = sinceOf(release)("1.22") ? {} : { "f:apiGroup": {}, "f:kind": {}, "f:name": {} };
  return {
    ...(content["aggregationRule"] !== undefined && {
      "f:aggregationRule": { ".": {}, "f:clusterRoleSelectors": {} },
    }),
    "f:metadata": { "f:annotations": entriesOf(annotations), "f:labels": entriesOf(labels) },
    ...(content["roleRef"] !== undefined && { "f:roleRef": roleRef }),
    ...(Array.isArray(content["rules"]) && { "f:rules": {} }),
    ...(content["subjects"] !== undefined && { "f:subjects": {} }),
  };
}

/** The keys are sorted already. */
function entriesOf(map: { readonly [key: string]: string } = {}): JsonObject {
  return Object.fromEntries([".", ...Object.keys(map).map((key) => `f:${key}`)].map((key) => [key, {}]));
}
