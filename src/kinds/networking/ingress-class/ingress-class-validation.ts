import {
  type FieldError,
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
import { domainPrefixedPathErrors } from "../../../apimachinery/validation/domain-prefixed-path.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import { apiGroupErrors, segmentErrors } from "../ingress-backend/ingress-backend-validation.ts";

const maxControllerBytes = 250;

const scopes: readonly string[] = ["Cluster", "Namespace"];

const controllerField = "spec.controller";

const parametersField = "spec.parameters";

/** The errors in an IngressClass. Upstream: pkg/apis/networking/validation/validation.go, ValidateIngressClass. */
export function ingressClassErrors(ingressClass: KubeObject): readonly FieldError[] {
  const spec = structAt(ingressClass, "spec");
  const parameters = objectAt(spec, "parameters");
  return [
    ...controllerErrors(textAt(spec, "controller")),
    ...(parameters === undefined ? [] : parameterErrors(parameters)),
  ];
}

/** The error of a change of the controller, which is immutable. */
export function controllerChangeErrors(ingressClass: KubeObject, old: KubeObject): readonly FieldError[] {
  const controller = textAt(structAt(ingressClass, "spec"), "controller");
  if (controller === textAt(structAt(old, "spec"), "controller")) return [];
  return [fieldInvalid(controllerField, controller, "field is immutable")];
}

function controllerErrors(controller: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (utf8Length(controller) > maxControllerBytes) {
    errors.push(fieldTooLong(controllerField, maxControllerBytes));
  }
  return [...errors, ...domainPrefixedPathErrors(controller, controllerField)];
}

function parameterErrors(parameters: JsonObject): readonly FieldError[] {
  return [
    ...apiGroupErrors(parameters, `${parametersField}.apiGroup`),
    ...segmentErrors(textAt(parameters, "kind"), `${parametersField}.kind`, "kind is required"),
    ...segmentErrors(textAt(parameters, "name"), `${parametersField}.name`, "name is required"),
    ...scopeErrors(parameters),
  ];
}

function scopeErrors(parameters: JsonObject): readonly FieldError[] {
  const { scope, namespace } = parameters;
  const field = `${parametersField}.namespace`;
  if (typeof scope !== "string") return [];
  if (!scopes.includes(scope)) return [fieldNotSupported(`${parametersField}.scope`, scope, scopes)];
  if (scope === "Cluster") {
    if (namespace === undefined) return [];
    return [fieldForbidden(field, "`parameters.scope` is set to 'Cluster'")];
  }
  if (typeof namespace !== "string")
    return [fieldRequired(field, "`parameters.scope` is set to 'Namespace'")];
  return dnsLabelMessages(namespace).map((message) => fieldInvalid(field, namespace, message));
}
