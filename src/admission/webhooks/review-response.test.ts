import { describe, expect, test } from "vitest";
import { checkedResponse, denial } from "./review-response.ts";

const patch = btoa("[]");
const kind = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
const allowed = { uid: "u", allowed: true };

/** Upstream: apiserver, pkg/admission/plugin/webhook/request/admissionreview_test.go, TestVerifyAdmissionResponse. */
describe("an answer of a mutating webhook is refused that", () => {
  test.each<[string, object, string]>([
    ["has no response", kind, "webhook response was absent"],
    ["has another uid", { ...kind, response: { allowed: true } }, 'expected response.uid="u", got ""'],
    [
      "has another version",
      { ...kind, apiVersion: "admission.k8s.io/v2", response: allowed },
      "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v2, Kind=AdmissionReview",
    ],
    [
      "has another kind",
      { ...kind, kind: "Other", response: allowed },
      "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=Other",
    ],
    [
      "has no type of its patch",
      { ...kind, response: { ...allowed, patch } },
      "webhook returned response.patch but not response.patchType",
    ],
    [
      "has a type and no patch",
      { ...kind, response: { ...allowed, patchType: "JSONPatch" } },
      "webhook returned response.patchType but not response.patch",
    ],
    [
      "has an empty type of its patch",
      { ...kind, response: { ...allowed, patch, patchType: "" } },
      'webhook returned invalid response.patchType of ""',
    ],
  ])("%s", (_title, review, problem) => {
    expect(() => checkedResponse({ ...review }, "u", "v1", "mutating")).toThrow(problem);
  });
});

test.each<[string, object, string]>([
  ["patch", { patch }, "validating webhook may not return response.patch"],
  ["patchType", { patchType: "JSONPatch" }, "validating webhook may not return response.patchType"],
])("an answer of a validating webhook has no %s", (_title, fields, problem) => {
  const review = { ...kind, response: { ...allowed, ...fields } };
  expect(() => checkedResponse(review, "u", "v1", "validating")).toThrow(problem);
});

test("an answer of v1beta1 needs neither uid nor type", () => {
  const review = { response: { allowed: true, patch } };
  expect(checkedResponse(review, "u", "v1beta1", "mutating")).toMatchObject({
    isAllowed: true,
    patchType: "JSONPatch",
    patch: new TextEncoder().encode("[]"),
  });
});

/** Upstream: apiserver, pkg/admission/plugin/webhook/errors/statuserror_test.go. */
test.each<[string, Parameters<typeof denial>[1], object]>([
  [
    "nothing",
    undefined,
    { code: 400, message: 'admission webhook "n" denied the request without explanation' },
  ],
  ["a message", { message: "no" }, { code: 400, message: 'admission webhook "n" denied the request: no' }],
  [
    "a reason",
    { reason: "Forbidden" },
    { code: 400, reason: "Forbidden", message: 'admission webhook "n" denied the request: Forbidden' },
  ],
  ["a code of success", { code: 200 }, { code: 400 }],
  ["a code of failure", { code: 409 }, { code: 409 }],
])("a denial with %s", (_title, result, status) => {
  expect(denial("n", result).status).toMatchObject(status);
});
