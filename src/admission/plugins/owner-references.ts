import { booleanAt, listAt, textAt } from "../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Authorizer, Decision } from "../../authorization/contract/authorizer.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import type { ResourceRequestInfo } from "../../request/request-info.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";

/** Finds the resource of a kind that the server serves. */
export type ResourceOfKind = (apiVersion: string, kind: string) => ApiResource | undefined;

/**
 * Lets only those set owner references who may delete the object, and those who may set finalizers of the owner block its deletion.
 * Upstream: plugin/pkg/admission/gc.
 */
export function ownerReferencesPermissionEnforcement(
  authorize: Authorizer,
  resourceOfKind: ResourceOfKind,
): AdmissionPlugin {
  return {
    name: "OwnerReferencesPermissionEnforcement",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    validate: async (attributes) => {
      const { gvr, subresource, user } = attributes;
      // Old kubelets damage the references; the strategy keeps them.
      if (gvr.group === "" && gvr.resource === "pods" && subresource === "status") return;
      if (!changesReferences(attributes)) return;
      const deletion = await authorize({ user, info: infoOf(attributes, { verb: "delete" }) });
      if (deletion.verdict !== "allow") {
        const problem = "cannot set an ownerRef on a resource you can't delete";
        throw refused(attributes, `${problem}: ${explained(deletion)}`);
      }
      for (const reference of newlyBlocking(attributes)) {
        await checkBlocking(reference, attributes, authorize, resourceOfKind);
      }
    },
  };
}

async function checkBlocking(
  reference: JsonObject,
  attributes: AdmissionAttributes,
  authorize: Authorizer,
  resourceOfKind: ResourceOfKind,
): Promise<void> {
  const [apiVersion, kind, name] = ["apiVersion", "kind", "name"].map((field) => textAt(reference, field));
  const owner = resourceOfKind(apiVersion ?? "", kind ?? "");
  if (owner === undefined) {
    const problem = "cannot set blockOwnerDeletion in this case because cannot find RESTMapping";
    throw refused(attributes, `${problem} for APIVersion ${apiVersion} Kind ${kind}`);
  }
  const { version = "" } = parseGroupVersion(apiVersion ?? "") ?? {};
  const info = infoOf(attributes, {
    verb: "update",
    group: owner.group,
    version,
    resource: owner.resource,
    subresource: "finalizers",
    name: name ?? "",
    namespace: owner.namespaced ? attributes.namespace : "",
  });
  const decision = await authorize({ user: attributes.user, info });
  if (decision.verdict === "allow") return;
  const problem =
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
  throw refused(attributes, `${problem}: ${explained(decision)}`);
}

/** The reason and the error, as Go prints them. */
function explained({ reason, error }: Decision): string {
  return `${reason}, ${error ?? "<nil>"}`;
}

function infoOf(
  { gvr, subresource, namespace, name }: AdmissionAttributes,
  change: Partial<ResourceRequestInfo> & Pick<ResourceRequestInfo, "verb">,
): ResourceRequestInfo {
  return {
    isResourceRequest: true,
    path: "",
    ...gvr,
    subresource,
    namespace,
    isBelowNamespace: namespace !== "",
    name,
    parts: [],
    fieldSelector: "",
    labelSelector: "",
    ...change,
  };
}

function referencesOf(object: AdmissionAttributes["object"]): readonly JsonObject[] {
  return object === undefined ? [] : listAt(object, "metadata", "ownerReferences");
}

function changesReferences({ object, oldObject }: AdmissionAttributes): boolean {
  return !jsonEqual(referencesOf(object), referencesOf(oldObject));
}

/** The references that block the deletion of an owner, and did not before. */
function newlyBlocking({ object, oldObject }: AdmissionAttributes): readonly JsonObject[] {
  const before = new Set(referencesOf(oldObject).filter(isBlocking).map(uidOf));
  return referencesOf(object).filter((reference) => isBlocking(reference) && !before.has(uidOf(reference)));
}

function isBlocking(reference: JsonObject): boolean {
  return booleanAt(reference, "blockOwnerDeletion");
}

function uidOf(reference: JsonObject): string {
  return textAt(reference, "uid");
}
