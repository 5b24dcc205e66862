import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { authorizerValue, requestResourceValue } from "../../cel/libraries/kubernetes/authorizers.ts";
import type { Activation } from "../../cel/program/program.ts";
import type { CelValue } from "../../cel/values/value.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { admissionRequestObject } from "../matching/admission-request.ts";
import type { VersionedObjects } from "../matching/versioned-objects.ts";
import type { AuthorizerChecks } from "./authorizer-checks.ts";

/** The variables that depend on more than the request. */
export interface FurtherVariables {
  readonly params?: CelValue;
  /** The namespace of the request; null if it has none, or if the expression is one of a webhook. */
  readonly namespaceObject: KubeObject | null;
}

/** The values of the variables of an expression. Upstream: apiserver, pkg/admission/plugin/cel/activation.go. */
export function activationOf(
  attributes: AdmissionAttributes,
  objects: VersionedObjects,
  { check }: AuthorizerChecks,
  further: FurtherVariables,
): Activation {
  const { object, oldObject, version } = objects;
  const { group, resource } = version.gvr;
  const { namespace, name, subresource } = attributes;
  const selectors = { fieldSelector: "", labelSelector: "" };
  return {
    object,
    oldObject,
    ...further,
    get request() {
      return admissionRequestObject(attributes, { version, object: null, oldObject: null }, "");
    },
    authorizer: authorizerValue(check),
    "authorizer.requestResource": requestResourceValue(check, {
      kind: "resource",
      group,
      resource,
      subresource,
      namespace,
      name,
      ...selectors,
    }),
  };
}
