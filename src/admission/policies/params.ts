import { textAt } from "../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector-object.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import type { ObjectVersion } from "../contract/object-interfaces.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";

/** A policy or a binding is configured so that it cannot decide. */
export class ConfigurationError extends Error {}

/** The objects that parameterize a policy, and the version that the policy wants. */
export interface Params {
  readonly objects: readonly KubeObject[];
  readonly version: ObjectVersion;
}

/** The resource of a policy's parameters. @throws {ConfigurationError} for one that is not served */
export function paramResource(paramKind: JsonObject, { resourceOfKind }: PolicyEnvironment): ApiResource {
  const apiVersion = textAt(paramKind, "apiVersion");
  const kind = textAt(paramKind, "kind");
  const resource = resourceOfKind(apiVersion, kind);
  if (resource !== undefined) return resource;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: "", version: "" };
  throw new ConfigurationError(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`,
  );
}

/**
 * The parameters to which a binding refers; none if it allows that. Upstream: apiserver, plugin/policy/generic/policy_dispatcher.go,
 * CollectParams.
 * @throws {ConfigurationError}
 */
export function paramsOf(
  resource: ApiResource,
  ref: JsonObject,
  requestNamespace: string,
  { lister }: PolicyEnvironment,
): Params {
  const namespace = paramNamespace(resource, ref, requestNamespace);
  const name = textAt(ref, "name");
  const found = name === "" ? undefined : lister.get(resource, namespace, name);
  const { matches } = labelSelectorFromObject(ref["selector"]);
  const objects =
    name === ""
      ? lister.list(resource, namespace).filter(({ metadata }) => matches(metadata.labels ?? {}))
      : [found].filter((one) => one !== undefined);
  if (objects.length === 0 && textAt(ref, "parameterNotFoundAction") === "Deny") {
    throw new ConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  const { group, version, kind } = resource;
  return { objects, version: { gvr: resource, gvk: { group, version, kind }, subresource: "" } };
}

/** @throws {ConfigurationError} */
function paramNamespace({ namespaced }: ApiResource, ref: JsonObject, requestNamespace: string): string {
  const own = textAt(ref, "namespace");
  if (!namespaced) {
    if (own === "") return "";
    throw new ConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const namespace = own === "" ? requestNamespace : own;
  if (namespace !== "") return namespace;
  throw new ConfigurationError(
    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
  );
}
