import type { GroupVersionKind, GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { optionsObject } from "../contract/operation-options.ts";
import type { VersionedObjects } from "./versioned-objects.ts";

/**
 * The request of an AdmissionReview, in upstream's order of fields. Upstream: apiserver, plugin/webhook/request/admissionreview.go.
 */
export function admissionRequestObject(
  attributes: AdmissionAttributes,
  { version, object, oldObject }: VersionedObjects,
  uid: string,
): JsonObject {
  const { gvk, gvr, subresource, name, namespace, operation, user, dryRun, options } = attributes;
  return {
    uid,
    kind: kindOf(version.gvk),
    resource: resourceOf(version.gvr),
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: kindOf(gvk),
    requestResource: resourceOf(gvr),
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    object,
    oldObject,
    dryRun,
    options: options === undefined || operation === "CONNECT" ? null : optionsObject(operation, options),
  };
}

function kindOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: GroupVersionResource): JsonObject {
  return { group, version, resource };
}

function userInfoOf({ name, uid, groups, extra }: UserInfo): JsonObject {
  const keys = Object.keys(extra).sort();
  return {
    ...(name !== "" && { username: name }),
    ...(uid !== "" && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, extra[key] ?? []])) }),
  };
}
