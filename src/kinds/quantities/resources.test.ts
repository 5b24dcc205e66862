import { describe, expect, test } from "vitest";
import { containerFindings, podSpecFindings } from "../../../test/registry/pods.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

type Row = readonly [title: string, resources: JsonObject, findings: readonly unknown[]];

describe("resources are refused for", () => {
  test.each<Row>([
    [
      "an invalid name",
      { limits: { foo: "1" } },
      [
        "resources.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
        "resources.limits[foo]: Invalid value: foo: must be a standard resource for containers",
        "resources.requests[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
        "resources.requests[foo]: Invalid value: foo: must be a standard resource for containers",
      ],
    ],
    [
      "names that containers cannot have",
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
      "a native resource that containers cannot have",
      { requests: { pods: "1" } },
      ["resources.requests[pods]: Invalid value: pods: must be a standard resource for containers"],
    ],
    [
      "a resource with the prefix of quota requests",
      { requests: { "requests.example.com/a": "1" }, limits: { "requests.example.com/a": "1" } },
      ["limits", "requests"].map(
        (list) =>
          `resources.${list}[requests.example.com/a]: Invalid value: requests.example.com/a: doesn't follow extended resource name standard`,
      ),
    ],
    [
      "requests above limits",
      { limits: { cpu: "1" }, requests: { cpu: "2" } },
      ['resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      "extended resources with different requests and limits",
      { limits: { "example.com/gpu": "2" }, requests: { "example.com/gpu": "1" } },
      ['resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
    ],
    [
      "extended resources without a limit",
      { requests: { "example.com/gpu": "1" } },
      ["resources.limits: Required value: Limit must be set for non overcommitable resources"],
    ],
    [
      "negative quantities",
      { requests: { memory: "-1" } },
      ['resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      "fractions of integer resources",
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
      "huge pages without cpu or memory",
      { limits: { "hugepages-2Mi": "2Mi" }, requests: { "hugepages-2Mi": "2Mi" } },
      ["resources: Forbidden: HugePages require cpu or memory"],
    ],
    [
      "fractions of huge pages",
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

describe("resource claims are refused for", () => {
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
      "a claim with an invalid name",
      [{ ...claim, resourceClaimName: "A" }],
      [expect.stringContaining('spec.resourceClaims[0].resourceClaimName: Invalid value: "A"')],
    ],
  ])("%s", (_title, resourceClaims, findings) => {
    expect(podSpecFindings({ resourceClaims })).toEqual(findings);
  });

  test.each<readonly [string, readonly JsonObject[], readonly unknown[]]>([
    ["no name", [{}], ["resources.claims[0]: Required value"]],
    [
      "a claim that the pod does not have",
      [{ name: "z" }],
      ['resources.claims[0]: Not found: "z": must be one of the names in pod.spec.resourceClaims: a'],
    ],
    ["a duplicate claim", [{ name: "a" }, { name: "a" }], ['resources.claims[1]: Duplicate value: "a"']],
    [
      "a duplicate request of a claim",
      [
        { name: "a", request: "r" },
        { name: "a", request: "r" },
      ],
      ['resources.claims[1]: Duplicate value: "a/r"'],
    ],
    [
      "a claim in addition to one of its requests",
      [{ name: "a", request: "r" }, { name: "a" }],
      ['resources.claims[1]: Duplicate value: "a"'],
    ],
  ])("%s, in a container", (_title, claims, findings) => {
    expect(containerFindings({ resources: { claims } }, { resourceClaims: [claim] })).toEqual(findings);
  });
});
