import { describe, expect, test } from "vitest";
import { containerFindings, podSpecFindings } from "../../../test/registry/pods.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

type Row = readonly [title: string, resources: JsonObject, findings: readonly unknown[]];

describe("resources are refused for", () => {
  test.each<Row>([
    [
      "a name that is none",
      { limits: { foo: "1" } },
      [
        "resources.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
        "resources.limits[foo]: Invalid value: foo: must be a standard resource for containers",
        "resources.requests[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
        "resources.requests[foo]: Invalid value: foo: must be a standard resource for containers",
      ],
    ],
    [
      "names that cannot be",
      { requests: { "a b": "1", "a!/c": "1" } },
      [
        expect.stringMatching(/^resources\.requests\[a b\]: Invalid value: a b: name part must consist of/),
        "resources.requests[a b]: Invalid value: a b: must be a standard resource for containers",
        expect.stringMatching(/^resources\.requests\[a!\/c\]: Invalid value: a!\/c: prefix part a lowercase/),
        "resources.requests[a!/c]: Invalid value: a!/c: doesn't follow extended resource name standard",
        "resources.limits: Required value: Limit must be set for non overcommitable resources",
      ],
    ],
    [
      "something that is counted otherwise",
      { requests: { pods: "1" } },
      ["resources.requests[pods]: Invalid value: pods: must be a standard resource for containers"],
    ],
    [
      "a name of Kubernetes that Kubernetes does not know",
      { requests: { "requests.example.com/a": "1" }, limits: { "requests.example.com/a": "1" } },
      ["limits", "requests"].map(
        (list) =>
          `resources.${list}[requests.example.com/a]: Invalid value: requests.example.com/a: doesn't follow extended resource name standard`,
      ),
    ],
    [
      "requests above their limits",
      { limits: { cpu: "1" }, requests: { cpu: "2" } },
      ['resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      "what is not shared in other amounts",
      { limits: { "example.com/gpu": "2" }, requests: { "example.com/gpu": "1" } },
      ['resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
    ],
    [
      "what is not shared without a limit",
      { requests: { "example.com/gpu": "1" } },
      ["resources.limits: Required value: Limit must be set for non overcommitable resources"],
    ],
    [
      "less than nothing",
      { requests: { memory: "-1" } },
      ['resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      "parts of what is handed out whole",
      { limits: { "example.com/gpu": "500m" }, requests: { "example.com/gpu": "500m" } },
      [
        expect.stringMatching(
          /^resources.limits\[example.com\/gpu\]: Invalid value: .*: must be an integer$/,
        ),
        expect.stringMatching(
          /^resources.requests\[example.com\/gpu\]: Invalid value: .*: must be an integer$/,
        ),
      ],
    ],
    [
      "huge pages alone",
      { limits: { "hugepages-2Mi": "2Mi" }, requests: { "hugepages-2Mi": "2Mi" } },
      ["resources: Forbidden: HugePages require cpu or memory"],
    ],
    [
      "parts of huge pages",
      { limits: { "hugepages-2Mi": "3Mi", cpu: "1" }, requests: { "hugepages-2Mi": "3Mi" } },
      ["limits", "requests"].map(
        (list) =>
          `resources.${list}[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
      ),
    ],
  ])("%s", (_title, resources, findings) => {
    expect(containerFindings({ resources })).toEqual(findings);
  });
});

describe("claims to devices are refused for", () => {
  const claim = { name: "a", resourceClaimName: "x" };

  test.each<readonly [string, readonly JsonObject[], readonly unknown[]]>([
    [
      "neither name nor claim",
      [{}],
      [
        "spec.resourceClaims[0].name: Required value",
        expect.stringContaining("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"),
      ],
    ],
    [
      "both a claim and a template",
      [{ ...claim, resourceClaimTemplateName: "t" }],
      [
        expect.stringContaining(
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
        ),
      ],
    ],
    ["a name that another has", [claim, claim], ['spec.resourceClaims[1].name: Duplicate value: "a"']],
    [
      "a claim that is no name",
      [{ ...claim, resourceClaimName: "A" }],
      [expect.stringContaining('spec.resourceClaims[0].resourceClaimName: Invalid value: "A"')],
    ],
  ])("%s", (_title, resourceClaims, findings) => {
    expect(podSpecFindings({ resourceClaims })).toEqual(findings);
  });

  test.each<readonly [string, readonly JsonObject[], readonly unknown[]]>([
    ["no name", [{}], ["resources.claims[0]: Required value"]],
    [
      "a name that the pod does not have",
      [{ name: "z" }],
      ['resources.claims[0]: Not found: "z": must be one of the names in pod.spec.resourceClaims: a'],
    ],
    ["a second use", [{ name: "a" }, { name: "a" }], ['resources.claims[1]: Duplicate value: "a"']],
    [
      "a second use of a part",
      [
        { name: "a", request: "r" },
        { name: "a", request: "r" },
      ],
      ['resources.claims[1]: Duplicate value: "a/r"'],
    ],
    [
      "the use of a whole whose part is used",
      [{ name: "a", request: "r" }, { name: "a" }],
      ['resources.claims[1]: Duplicate value: "a"'],
    ],
  ])("%s, in a container", (_title, claims, findings) => {
    expect(containerFindings({ resources: { claims } }, { resourceClaims: [claim] })).toEqual(findings);
  });
});
