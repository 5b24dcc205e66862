import {
  authorizerValue,
  type CheckAuthorization,
  requestResourceValue,
} from "../../cel/libraries/kubernetes/authorizers.ts";
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
  readonly namespaceObject: CelValue;
}

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

  get request(): CelValue {
    const { version } = this.objects;
    this.#request ??= admissionRequestObject(
      this.#attributes,
      { version, object: null, oldObject: null },
      "",
    );
    return this.#request;
  }

  get authorizer(): CelValue {
    this.#authorizer ??= authorizerValue(this.#check);
    return this.#authorizer;
  }

  get requestResource(): CelValue {
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

/** The values of the variables of an expression. Upstream: apiserver, pkg/admission/plugin/cel/activation.go. */
export function activationOf(shared: RequestVariables, further: FurtherVariables): Activation {
  const { object, oldObject } = shared.objects;
  return {
    object,
    oldObject,
    ...further,
    get request() {
      return shared.request;
    },
    get authorizer() {
      return shared.authorizer;
    },
    get "authorizer.requestResource"() {
      return shared.requestResource;
    },
  };
}

/** The same for an expression that may not ask the authorizer. */
export function activationWithoutAuthorizer(shared: RequestVariables, further: FurtherVariables): Activation {
  const { object, oldObject } = shared.objects;
  return {
    object,
    oldObject,
    ...further,
    get request() {
      return shared.request;
    },
  };
}
