import { describe, expect, test } from "vitest";
import { listAt, structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import { nextStatus, type StatusFacts, settledStatus } from "./definition-status.ts";

const type = "KubernetesAPIApprovalPolicyConformant";
const facts = {
  taken: { hasResource: () => false, hasKind: () => false },
  now: 0,
  establishment: "free",
  since: sinceOf("1.32"),
} as const;

function definition(group: string, approval: string, status: JsonObject = {}): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `as.${group}`, annotations: { "api-approved.kubernetes.io": approval } },
    spec: { group, names: { plural: "as", singular: "a", kind: "A", listKind: "AList" } },
    status,
  };
}

function approvalsOf(status: JsonObject): readonly unknown[] {
  const found = listAt(status, "conditions").filter((condition) => condition["type"] === type);
  return found.map(({ status, reason, message }) => [status, reason, message]);
}

const need = 'protected groups must have approval annotation "api-approved.kubernetes.io"';
const see = "see https://github.com/kubernetes/enhancements/pull/1111";

describe(`the condition ${type}`, () => {
  test.each<[approval: string, condition: readonly [status: string, reason: string, message: string]]>([
    ["https://example.com/1", ["True", "ApprovedAnnotation", "approved in https://example.com/1"]],
    ["unapproved, a test", ["False", "UnapprovedAnnotation", 'not approved: "unapproved, a test"']],
    ["", ["False", "MissingAnnotation", `${need}, ${see}`]],
    [
      "no",
      [
        "False",
        "InvalidAnnotation",
        `${need} with either a URL or a reason starting with "unapproved", ${see}`,
      ],
    ],
  ])("of a protected group says what the annotation %j means", (approval, condition) => {
    expect(approvalsOf(settledStatus(definition("x.k8s.io", approval), facts))).toEqual([condition]);
  });

  test("follows the annotation, and stays one condition", () => {
    const status = settledStatus(definition("x.k8s.io", "unapproved"), facts);
    const approved = settledStatus(definition("x.k8s.io", "https://example.com/1", status), facts);
    expect(approvalsOf(approved)).toEqual([
      ["True", "ApprovedAnnotation", "approved in https://example.com/1"],
    ]);
  });

  test("is missing in other groups", () => {
    expect(approvalsOf(settledStatus(definition("example.com", "unapproved"), facts))).toEqual([]);
  });
});

/** The status after as many steps of the controllers as there are. */
function statusAfterSteps(one: KubeObject, facts: StatusFacts): JsonObject {
  const status = nextStatus(one, facts);
  return status === undefined ? structAt(one, "status") : statusAfterSteps({ ...one, status }, facts);
}

describe("the settled status", () => {
  const open = definition("example.com", "");
  const accepted = settledStatus(open, facts);
  const withBundle = (caBundle: string): KubeObject => ({
    ...open,
    spec: { ...structAt(open, "spec"), conversion: { webhook: { clientConfig: { caBundle } } } },
  });
  const renamed: KubeObject = { ...open, spec: { group: "example.com", names: { plural: "bs", kind: "B" } } };
  const conflicting: StatusFacts = {
    ...facts,
    taken: { hasResource: (name) => name === "as" || name === "bs", hasKind: () => false },
  };
  test.each<[string, KubeObject, StatusFacts]>([
    ["a new definition", open, facts],
    ["a definition of a protected group", definition("x.k8s.io", "no"), facts],
    ["a definition that a test holds back", open, { ...facts, establishment: "held" }],
    ["a definition whose names are taken", open, conflicting],
    ["an established definition that wants taken names", { ...renamed, status: accepted }, conflicting],
    ["a definition with its status", { ...open, status: accepted }, facts],
    ["a definition with an invalid bundle of certificates", withBundle("AAAA"), facts],
  ])("of %s is what the steps of the controllers lead to", (_title, one, given) => {
    expect(settledStatus(one, given)).toEqual(statusAfterSteps(one, given));
  });
});
