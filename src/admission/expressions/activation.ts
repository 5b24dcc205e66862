import {
  authorizerValue,
  type CheckAuthorization,
  requestResourceValue,
} from "../../cel/libraries/kubernetes/authorizers.ts";
import type { ResolveName } from "../../cel/program/program.ts";
import type { CelValue } from "../../cel/values/value.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { admissionRequestObject } from "../matching/admission-request.ts";
import type { VersionedObjects } from "../matching/versioned-objects.ts";
import type { AuthorizerChecks } from "./authorizer-checks.ts";

/** The variables that depend on more than the request. */
export interface FurtherVariables {
  readonly params?: CelValue;
  /** The variables that a policy declares, as an object. */
  readonly variables?: CelValue;
  /** The namespace of the request; null if it has none, or if the expression is one of a webhook. */
  readonly namespaceObject: () => CelValue;
}

const requestResource = "authorizer.requestResource";

/** The values of the variables that all expressions about a request in one version share; each is made when it is first used. */
export class RequestVariables {
  readonly objects: VersionedObjects;
  readonly #attributes: AdmissionAttributes;
  readonly #check: CheckAuthorization;
  #request: CelValue | undefined;
  #authorizer: CelValue | undefined;

  constructor(attributes: AdmissionAttributes, objects: VersionedObjects, { check }: AuthorizerChecks) {
    this.#attributes = attributes;
    this.objects = objects;
    this.#check = check;
  }

  /** The value of one of these variables; undefined for any other. */
  resolve(variable: string): CelValue | undefined {
    switch (variable) {
      case "object":
        return this.objects.object;
      case "oldObject":
        return this.objects.oldObject;
      case "request":
        return this.#requestValue();
      case "authorizer":
        return this.#authorizerValue();
      case requestResource:
        return this.#requestResourceValue();
      default:
        return undefined;
    }
  }

  #requestValue(): CelValue {
    const { version } = this.objects;
    this.#request ??= admissionRequestObject(
      this.#attributes,
      { version, object: null, oldObject: null },
      "",
    );
    return this.#request;
  }

  #authorizerValue(): CelValue {
    this.#authorizer ??= authorizerValue(this.#check);
    return this.#authorizer;
  }

  #requestResourceValue(): CelValue {
    const { group, resource } = this.objects.version.gvr;
    const { namespace, name, subresource } = this.#attributes;
    return requestResourceValue(this.#check, {
      kind: "resource",
      group,
      resource,
      subresource,
      namespace,
      name,
      fieldSelector: "",
      labelSelector: "",
    });
  }
}

/** The values of the variables of an expression. Upstream: apiserver, pkg/admission/plugin/cel/activation.go, ResolveName. */
export function activationOf(shared: RequestVariables, further: FurtherVariables): ResolveName {
  return (variable) => {
    switch (variable) {
      case "params":
        return further.params;
      case "namespaceObject":
        return further.namespaceObject();
      case "variables":
        return further.variables;
      default:
        return shared.resolve(variable);
    }
  };
}

/** The same for an expression that may not ask the authorizer. */
export function activationWithoutAuthorizer(
  shared: RequestVariables,
  further: FurtherVariables,
): ResolveName {
  const resolve = activationOf(shared, further);
  return (variable) =>
    variable === "authorizer" || variable === requestResource ? undefined : resolve(variable);
}
