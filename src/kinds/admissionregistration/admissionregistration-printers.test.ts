import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

const paramRef = (reference: JsonObject): JsonObject => ({ spec: { policyName: "p", paramRef: reference } });

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  ["admissionregistration.k8s.io/mutatingwebhookconfigurations", { webhooks: [{}, {}] }, [2]],
  ["admissionregistration.k8s.io/validatingwebhookconfigurations", {}, [0]],
  [
    "admissionregistration.k8s.io/validatingadmissionpolicies",
    { spec: { validations: [{}], paramKind: { apiVersion: "v1", kind: "ConfigMap" } } },
    [1, "v1/ConfigMap"],
  ],
  [
    "admissionregistration.k8s.io/mutatingadmissionpolicies",
    { spec: { mutations: [{}, {}] } },
    [2, "<unset>"],
  ],
  [
    "admissionregistration.k8s.io/validatingadmissionpolicybindings",
    { spec: { policyName: "p" } },
    ["p", "<unset>"],
  ],
  [
    "admissionregistration.k8s.io/validatingadmissionpolicybindings",
    paramRef({ name: "a", namespace: "n" }),
    ["p", "n/a"],
  ],
  ["admissionregistration.k8s.io/mutatingadmissionpolicybindings", paramRef({ name: "a" }), ["p", "*/a"]],
  ["admissionregistration.k8s.io/mutatingadmissionpolicybindings", paramRef({}), ["p", "<unset>"]],
  [
    "admissionregistration.k8s.io/mutatingadmissionpolicybindings",
    paramRef({
      selector: {
        matchLabels: { b: "2", a: "1" },
        matchExpressions: [{ key: "k", operator: "In", values: ["v", "w"] }],
      },
    }),
    [
      "p",
      "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[v w],},},}",
    ],
  ],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
