import { listAt, objectAt, sizeAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { ageOf, nameOf } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters, Printer } from "../../codec/tables/printer.ts";

const webhooks: Printer = {
  cells: (object, now) => [nameOf(object), sizeAt(object, "webhooks"), ageOf(object, now)],
};

const binding: Printer = {
  cells: (object, now) => [
    nameOf(object),
    textAt(object, "spec", "policyName"),
    paramReference(objectAt(object, "spec", "paramRef")),
    ageOf(object, now),
  ],
};

export const admissionRegistrationPrinters: GroupPrinters = {
  mutatingwebhookconfigurations: webhooks,
  validatingwebhookconfigurations: webhooks,
  validatingadmissionpolicies: policy("validations"),
  mutatingadmissionpolicies: policy("mutations"),
  validatingadmissionpolicybindings: binding,
  mutatingadmissionpolicybindings: binding,
};

function policy(rules: string): Printer {
  return {
    cells: (object, now) => [
      nameOf(object),
      sizeAt(object, "spec", rules),
      paramKind(object),
      ageOf(object, now),
    ],
  };
}

function paramKind(object: KubeObject): string {
  const kind = objectAt(object, "spec", "paramKind");
  return kind === undefined ? "<unset>" : `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}`;
}

/** The namespace of a parameter that names none is not known here, so it is `*`. */
function paramReference(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<unset>";
  const name = textAt(reference, "name");
  if (name !== "") return `${textAt(reference, "namespace") || "*"}/${name}`;
  const selector = objectAt(reference, "selector");
  return selector === undefined ? "<unset>" : goSelector(selector);
}

/** A selector as the `String()` of its Go type writes it. */
function goSelector(selector: JsonObject): string {
  const labels = Object.entries(objectAt(selector, "matchLabels") ?? {}).sort(([a], [b]) =>
    compareText(a, b),
  );
  const matchLabels = labels.map(([key, value]) => `${key}: ${value},`).join("");
  const matchExpressions = listAt(selector, "matchExpressions").map(goRequirement).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${matchLabels}},MatchExpressions:[]LabelSelectorRequirement{${matchExpressions}},}`;
}

function goRequirement(expression: JsonObject): string {
  const values = textsAt(expression, "values").join(" ");
  return `LabelSelectorRequirement{Key:${textAt(expression, "key")},Operator:${textAt(expression, "operator")},Values:[${values}],},`;
}
