import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { collectErrors } from "../../../apimachinery/validation/findings.ts";
import { type Approval, addApprovalErrors, approvalOf, isProtectedGroup } from "./api-approval.ts";

const annotation = "api-approved.kubernetes.io";

function definition(approval: string | undefined, group = "x.k8s.io"): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `as.${group}`,
      ...(approval !== undefined && { annotations: { [annotation]: approval } }),
    },
    spec: { group },
  };
}

const need = `protected groups must have approval annotation "${annotation}"`;
const see = "see https://github.com/kubernetes/enhancements/pull/1111";
const missing: Approval = { state: "missing", reason: `${need}, ${see}` };
const invalid: Approval = {
  state: "invalid",
  reason: `${need} with either a URL or a reason starting with "unapproved", ${see}`,
};

test.each<[annotation: string | undefined, approval: Approval]>([
  ["unapproved", { state: "bypassed", reason: 'not approved: "unapproved"' }],
  [
    "unapproved, experimental-only",
    { state: "bypassed", reason: 'not approved: "unapproved, experimental-only"' },
  ],
  ["Unapproved", invalid],
  ["", missing],
  [undefined, missing],
  [
    "https://github.com/kubernetes/kubernetes/pull/78458",
    { state: "approved", reason: "approved in https://github.com/kubernetes/kubernetes/pull/78458" },
  ],
  ["github.com/kubernetes/kubernetes/pull/78458", invalid],
  ["http:///kubernetes/kubernetes/pull/78458", invalid],
  ["/", invalid],
  ["https:pull", invalid],
  ["https://a b/", invalid],
  ["javascript:alert(1)", invalid],
])("the annotation %j", (text, approval) => {
  expect(approvalOf(definition(text))).toEqual(approval);
});

test.each<[group: string, isProtected: boolean]>([
  ["k8s.io", true],
  ["a.b.k8s.io", true],
  ["kubernetes.io", true],
  ["a.kubernetes.io", true],
  ["notk8s.io", false],
  ["k8s.io.example.com", false],
  ["", false],
])("the group %j is protected: %j", (group, isProtected) => {
  expect(isProtectedGroup(group)).toBe(isProtected);
});

describe("a definition", () => {
  const required = [
    "FieldValueRequired",
    `metadata.annotations[${annotation}]`,
    `Required value: ${missing.reason}`,
  ];
  const wrong = [
    "FieldValueInvalid",
    `metadata.annotations[${annotation}]`,
    `Invalid value: "no": ${invalid.reason}`,
  ];
  const url = "https://example.com/1";

  test.each<[title: string, now: KubeObject, old: KubeObject | undefined, errors: readonly unknown[]]>([
    ["that is new needs an approval", definition(undefined), undefined, [required]],
    ["that is new needs a valid one", definition("no"), undefined, [wrong]],
    ["that is approved is accepted", definition(url), undefined, []],
    ["that says it is unapproved is accepted", definition("unapproved"), undefined, []],
    ["of another group needs none", definition("no", "example.com"), undefined, []],
    ["that never had one may change", definition(undefined), definition(undefined), []],
    ["whose annotation stays invalid may change", definition("no"), definition("never"), []],
    ["cannot lose its approval", definition(undefined), definition(url), [required]],
    ["cannot get an invalid one", definition("no"), definition(undefined), [wrong]],
    ["may be approved later", definition(url), definition("unapproved"), []],
  ])("%s", (_title, now, old, errors) => {
    const found = collectErrors((list) => addApprovalErrors(list, now, old));
    expect(found.map(({ type, field, body }) => [type, field, body])).toEqual(errors);
  });
});
