import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { addDomainPrefixedPathErrors } from "../../../apimachinery/validation/domain-prefixed-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import { addApiGroupErrors, addSegmentErrors } from "../ingress-backend/ingress-backend-validation.ts";

const maxControllerBytes = 250;

const scopes: readonly string[] = ["Cluster", "Namespace"];

const controllerField = "spec.controller";

const parametersField = "spec.parameters";

/** Adds the errors in an IngressClass. Upstream: pkg/apis/networking/validation/validation.go, ValidateIngressClass. */
export function addIngressClassErrors(errors: Findings, ingressClass: KubeObject): void {
  const spec = structAt(ingressClass, "spec");
  const parameters = objectAt(spec, "parameters");
  addControllerErrors(errors, textAt(spec, "controller"));
  if (parameters !== undefined) addParameterErrors(errors, parameters);
}

/** Adds the error of a change of the controller, which is immutable. */
export function addControllerChangeErrors(errors: Findings, ingressClass: KubeObject, old: KubeObject): void {
  const controller = textAt(structAt(ingressClass, "spec"), "controller");
  if (controller === textAt(structAt(old, "spec"), "controller")) return;
  errors.push(fieldInvalid(controllerField, controller, "field is immutable"));
}

function addControllerErrors(errors: Findings, controller: string): void {
  if (utf8Length(controller) > maxControllerBytes) {
    errors.push(fieldTooLong(controllerField, maxControllerBytes));
  }
  addDomainPrefixedPathErrors(errors, controller, controllerField);
}

function addParameterErrors(errors: Findings, parameters: JsonObject): void {
  addApiGroupErrors(errors, parameters, `${parametersField}.apiGroup`);
  addSegmentErrors(errors, textAt(parameters, "kind"), `${parametersField}.kind`, "kind is required");
  addSegmentErrors(errors, textAt(parameters, "name"), `${parametersField}.name`, "name is required");
  addScopeErrors(errors, parameters);
}

function addScopeErrors(errors: Findings, parameters: JsonObject): void {
  const { scope, namespace } = parameters;
  const field = `${parametersField}.namespace`;
  if (typeof scope !== "string") return;
  if (!scopes.includes(scope)) {
    errors.push(fieldNotSupported(`${parametersField}.scope`, scope, scopes));
    return;
  }
  if (scope === "Cluster") {
    if (namespace === undefined) return;
    errors.push(fieldForbidden(field, "`parameters.scope` is set to 'Cluster'"));
    return;
  }
  if (typeof namespace !== "string") {
    errors.push(fieldRequired(field, "`parameters.scope` is set to 'Namespace'"));
  } else addInvalid(errors, field, namespace, dnsLabelMessages(namespace));
}
