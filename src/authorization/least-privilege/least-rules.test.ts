import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestInfo } from "../../request/request-info.ts";
import { policyRuleObject } from "../contract/policy-rule.ts";
import { resourceQuestion } from "../contract/resource-attributes.ts";
import { RoleRules } from "../rbac/role-rules.ts";
import { compareWithRequests } from "./compared-roles.ts";
import { leastRules } from "./least-rules.ts";

/** `get shop:pods/log web`, `list apps/deployments` or `get /metrics`: verb, namespace, group, resource, name. */
function request(text: string): RequestInfo {
  const [verb = "", place = "", name = ""] = text.split(" ");
  if (place.startsWith("/")) return { isResourceRequest: false, verb, path: place };
  const [, namespace = "", rest = ""] = /^(?:([a-z-]*):)?(.*)$/.exec(place) ?? [];
  const [, group = "", resource = "", subresource = ""] = /^(?:([a-z.]*)!)?([^/]*)\/?(.*)$/.exec(rest) ?? [];
  return resourceQuestion({ verb, group, version: "v1", resource, subresource, namespace, name });
}

function rulesOf(...texts: readonly string[]): object {
  const scoped = leastRules(texts.map(request));
  return Object.fromEntries(scoped.map(({ namespace, rules }) => [namespace, rules.map(policyRuleObject)]));
}

const pods = { apiGroups: [""], resources: ["pods"] };

describe("the smallest rules", () => {
  test.each<[string, readonly string[], object]>([
    ["of nothing are none", [], {}],
    ["stay in a namespace", ["list shop:pods"], { shop: [{ ...pods, verbs: ["list"] }] }],
    [
      "are in each namespace",
      ["list shop:pods", "list test:pods"],
      { shop: [{ ...pods, verbs: ["list"] }], test: [{ ...pods, verbs: ["list"] }] },
    ],
    [
      "are only in the ClusterRole if that has them",
      ["list shop:pods", "list pods", "watch shop:pods"],
      { shop: [{ ...pods, verbs: ["watch"] }], "": [{ ...pods, verbs: ["list"] }] },
    ],
    [
      "about namespaces are in the ClusterRole",
      ["create namespaces", "get shop:namespaces shop"],
      {
        "": [
          { apiGroups: [""], resources: ["namespaces"], verbs: ["create"] },
          { apiGroups: [""], resources: ["namespaces"], resourceNames: ["shop"], verbs: ["get"] },
        ],
      },
    ],
    [
      "have the verbs in the usual order",
      ["deletecollection", "bind", "delete", "patch", "update", "create", "watch", "list", "get"].map(
        (verb) => `${verb} shop:pods`,
      ),
      {
        shop: [
          {
            ...pods,
            verbs: [
              ...["get", "list", "watch", "create", "update", "patch", "delete"],
              ...["deletecollection", "bind"],
            ],
          },
        ],
      },
    ],
    [
      "unite resources of a group with the same verbs",
      ["list shop:pods", "list shop:services", "list shop:apps!deployments"],
      {
        shop: [
          { apiGroups: [""], resources: ["pods", "services"], verbs: ["list"] },
          { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"] },
        ],
      },
    ],
    [
      "have subresources",
      ["create shop:pods/exec web", "get shop:pods/log web"],
      {
        shop: [
          { apiGroups: [""], resources: ["pods/exec"], resourceNames: ["web"], verbs: ["create"] },
          { apiGroups: [""], resources: ["pods/log"], resourceNames: ["web"], verbs: ["get"] },
        ],
      },
    ],
    [
      "have other verbs in the order of the alphabet, after the usual ones",
      ["use shop:pods", "bind shop:pods", "approve shop:pods", "get shop:pods"],
      { shop: [{ ...pods, verbs: ["get", "approve", "bind", "use"] }] },
    ],
    [
      "have resources in the order of the alphabet",
      ["list shop:services", "list shop:pods", "list shop:configmaps"],
      { shop: [{ apiGroups: [""], resources: ["configmaps", "pods", "services"], verbs: ["list"] }] },
    ],
    [
      "have resources with objects apart",
      ["get shop:services x", "get shop:pods x"],
      {
        shop: [
          { ...pods, resourceNames: ["x"], verbs: ["get"] },
          { ...pods, resources: ["services"], resourceNames: ["x"], verbs: ["get"] },
        ],
      },
    ],
    [
      "have paths in the order of the alphabet, and last",
      ["get /b", "get /a", "get zone.io!zones x"],
      {
        "": [
          { apiGroups: ["zone.io"], resources: ["zones"], resourceNames: ["x"], verbs: ["get"] },
          { nonResourceURLs: ["/a", "/b"], verbs: ["get"] },
        ],
      },
    ],
    [
      "unite paths",
      ["get /metrics", "get /debug/pprof", "post /metrics"],
      {
        "": [
          { nonResourceURLs: ["/debug/pprof"], verbs: ["get"] },
          { nonResourceURLs: ["/metrics"], verbs: ["get", "post"] },
        ],
      },
    ],
  ])("%s", (_title, texts, expected) => expect(rulesOf(...texts)).toEqual(expected));
});

describe("resourceNames", () => {
  const named = (verbs: readonly string[], ...resourceNames: string[]) => ({ ...pods, resourceNames, verbs });
  test.each<[string, readonly string[], readonly object[]]>([
    ["are those of the requests", ["get a:pods x", "patch a:pods x"], [named(["get", "patch"], "x")]],
    ["are at most three", ["get a:pods x", "get a:pods z", "get a:pods y"], [named(["get"], "x", "y", "z")]],
    ["are not four", ["w", "x", "y", "z"].map((name) => `get a:pods ${name}`), [{ ...pods, verbs: ["get"] }]],
    ["are not for requests without a name", ["get a:pods x", "get a:pods"], [{ ...pods, verbs: ["get"] }]],
    [
      "are not for requests without a name before",
      ["get a:pods", "get a:pods x"],
      [{ ...pods, verbs: ["get"] }],
    ],
    ["are not generated", ["delete a:pods web-x7k2p"], [{ ...pods, verbs: ["delete"] }]],
    ["are all fixed or none", ["get a:pods web-x7k2p", "get a:pods x"], [{ ...pods, verbs: ["get"] }]],
    ["may end in words", ["delete a:pods web-front"], [named(["delete"], "web-front")]],
    [
      "do not restrict get beside list",
      ["list a:pods", "get a:pods x"],
      [{ ...pods, verbs: ["get", "list"] }],
    ],
    [
      "do not restrict get beside watch",
      ["watch a:pods", "get a:pods x"],
      [{ ...pods, verbs: ["get", "watch"] }],
    ],
    [
      "restrict writes beside list",
      ["list a:pods", "delete a:pods x"],
      [{ ...pods, verbs: ["list"] }, named(["delete"], "x")],
    ],
    ["restrict a list of one object", ["list a:pods x", "get a:pods x"], [named(["get", "list"], "x")]],
  ])("%s", (_title, texts, expected) => expect(rulesOf(...texts)).toEqual({ a: expected }));
});

test("namespaces are in the order of the alphabet, the ClusterRole is last", () => {
  const scoped = leastRules(["get nodes x", "get b:pods x", "get c:pods x", "get a:pods x"].map(request));
  expect(scoped.map(({ namespace }) => namespace)).toEqual(["a", "b", "c", ""]);
});

const anyRequest = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("get", "list", "create", "delete", "deletecollection"),
      fc.constantFrom("", "a:", "b:"),
      fc.constantFrom("pods", "pods/log", "apps!deployments", "namespaces"),
      fc.constantFrom("", " x", " y", " z", " w", " web-x7k2p"),
    )
    .map((parts) => request(`${parts[0]} ${parts[1]}${parts[2]}${parts[3]}`)),
  fc.constantFrom("get /a", "get /b", "post /a").map(request),
);

test("the rules allow every request, and each part of them is used", () => {
  fc.assert(
    fc.property(fc.array(anyRequest, { maxLength: 12 }), (requests) => {
      const roles = leastRules(requests).map(({ namespace, rules }) => ({
        title: namespace,
        rules,
        namespaces: namespace === "" ? ("all" as const) : new Set([namespace]),
      }));
      expect(compareWithRequests(roles, requests, () => false)).toEqual({ missing: [], unused: [] });
      for (const [index, { rules }] of roles.entries()) {
        const others = roles.filter((_, other) => other !== index);
        if (rules.length > 0) {
          expect(compareWithRequests(others, requests, () => false).missing.length).toBeGreaterThan(0);
        }
      }
    }),
  );
});

describe("a comparison", () => {
  const compare = (rules: readonly object[], ...texts: readonly string[]) =>
    compareWithRequests(
      [{ title: "Role a/r", rules: new RoleRules(rules.map(full)).rules, namespaces: new Set(["a"]) }],
      texts.map(request),
      (info) => info.verb === "post",
    );
  const full = (rule: object) => ({
    verbs: [],
    apiGroups: [],
    resources: [],
    resourceNames: [],
    nonResourceURLs: [],
    ...rule,
  });
  const read = { ...pods, verbs: ["get", "list"] };

  test.each<[string, readonly object[], readonly string[], object]>([
    ["of equals", [read], ["get a:pods x", "list a:pods"], { missing: [], unused: [] }],
    [
      "names what is missing",
      [read],
      ["get a:pods x", "list a:pods", "delete a:pods x", "get b:pods x", "list nodes", "get /x", "post /x"],
      {
        missing: [
          'the requests needed a Role in the namespace "a" with {"apiGroups":[""],"resources":["pods"],"resourceNames":["x"],"verbs":["delete"]}',
          'the requests needed a Role in the namespace "b" with {"apiGroups":[""],"resources":["pods"],"resourceNames":["x"],"verbs":["get"]}',
          'the requests needed a ClusterRole with {"apiGroups":[""],"resources":["nodes"],"verbs":["list"]}',
          'the requests needed a ClusterRole with {"nonResourceURLs":["/x"],"verbs":["get"]}',
        ],
        unused: [],
      },
    ],
    [
      "names what is never used, in one rule where it is alike",
      [{ ...read, resources: ["pods", "secrets"], verbs: ["get", "list", "watch"] }],
      ["get a:pods x", "get b:secrets x"],
      {
        missing: expect.any(Array),
        unused: [
          'Role a/r allows {"apiGroups":[""],"resources":["pods"],"verbs":["list","watch"]}, which no request needed',
          'Role a/r allows {"apiGroups":[""],"resources":["secrets"],"verbs":["get","list","watch"]}, which no request needed',
        ],
      },
    ],
    [
      "finds names that a verb cannot use",
      [{ ...pods, resourceNames: ["x"], verbs: ["get", "create"] }],
      ["get a:pods x"],
      {
        missing: [],
        unused: [
          'Role a/r allows {"apiGroups":[""],"resources":["pods"],"resourceNames":["x"],"verbs":["create"]}, which no request needed',
        ],
      },
    ],
    ...(["verbs", "apiGroups", "resources"] as const).map(
      (field): [string, readonly object[], readonly string[], object] => [
        `shows what was needed of a wildcard in ${field}`,
        [{ ...pods, verbs: ["get"], [field]: ["*"] }],
        ["get a:pods x"],
        {
          missing: [],
          unused: [
            `Role a/r allows ${JSON.stringify({ ...pods, [field]: field === "verbs" ? undefined : ["*"], verbs: field === "verbs" ? ["*"] : ["get"] })}, of which the requests needed {"apiGroups":[""],"resources":["pods"],"resourceNames":["x"],"verbs":["get"]}`,
          ],
        },
      ],
    ),
    [
      "shows each rule that was needed of a wildcard",
      [{ ...pods, resources: ["*"], verbs: ["*"] }],
      ["get a:secrets x", "list a:pods", "list a:apps!deployments"],
      {
        missing: [
          'the requests needed a Role in the namespace "a" with {"apiGroups":["apps"],"resources":["deployments"],"verbs":["list"]}',
        ],
        unused: [
          'Role a/r allows {"apiGroups":[""],"resources":["*"],"verbs":["*"]}, of which the requests needed {"apiGroups":[""],"resources":["pods"],"verbs":["list"]} and {"apiGroups":[""],"resources":["secrets"],"resourceNames":["x"],"verbs":["get"]}',
        ],
      },
    ],
    [
      "shows that nothing was needed of a wildcard",
      [{ ...pods, resources: ["*/scale"], verbs: ["get"] }],
      [],
      {
        missing: [],
        unused: [
          'Role a/r allows {"apiGroups":[""],"resources":["*/scale"],"verbs":["get"]}, of which the requests needed nothing',
        ],
      },
    ],
  ])("%s", (_title, rules, texts, expected) => expect(compare(rules, ...texts)).toEqual(expected));

  test("of a role for all namespaces counts paths, also with a star at the end", () => {
    const rules = [full({ nonResourceURLs: ["/healthz/*", "/metrics", "*"], verbs: ["get"] })];
    const parts = [full({ nonResourceURLs: ["/healthz/*", "/metrics"], verbs: ["get"] })];
    const asked = [request("get /healthz/ping")];
    const none = () => false;
    expect(compareWithRequests([{ title: "r", rules, namespaces: "all" }], asked, none).unused).toEqual([
      'r allows {"nonResourceURLs":["/healthz/*","/metrics","*"],"verbs":["get"]}, of which the requests needed {"nonResourceURLs":["/healthz/ping"],"verbs":["get"]}',
    ]);
    expect(compareWithRequests([{ title: "r", rules: parts, namespaces: "all" }], asked, none)).toEqual({
      missing: [],
      unused: ['r allows {"nonResourceURLs":["/metrics"],"verbs":["get"]}, which no request needed'],
    });
  });
});
