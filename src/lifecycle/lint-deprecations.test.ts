import { describe, expect, test } from "vitest";
import { type DeprecationPlan, lintDeprecations } from "./lint-deprecations.ts";

const group = "example.com";

/** The rule and the earliest release of each finding. */
const broken = (plan: DeprecationPlan) =>
  lintDeprecations(plan).map(({ rule, earliest }) =>
    [rule, earliest].filter((part) => part !== undefined).join(" "),
  );

const api = (timeline: object, more: object = {}): DeprecationPlan => ({
  // Each row states a timeline.
  apis: [{ group, timeline: timeline as never, ...more }],
});

describe("the linter finds what breaks the deprecation policy, and the earliest release that would not", () => {
  test.each<[title: string, plan: DeprecationPlan, findings: readonly string[]]>([
    [
      "#1: a field goes before its version",
      api(
        { v1beta1: { introduced: "1.28", deprecated: "1.30", removed: "1.33" }, v1: { introduced: "1.30" } },
        { fields: { v1beta1: { "spec.size": { removed: "1.31" } } } },
      ),
      ["#1 1.33"],
    ],
    [
      "#1: a field that goes with its version",
      api(
        { v1beta1: { introduced: "1.28", deprecated: "1.30", removed: "1.33" }, v1: { introduced: "1.30" } },
        { fields: { v1beta1: { "spec.size": { removed: "1.33" } } } },
      ),
      [],
    ],
    [
      "#2: a field has no equivalent in another version",
      api(
        { v1beta1: { introduced: "1.28", deprecated: "1.30", removed: "1.33" }, v1: { introduced: "1.30" } },
        { fields: { v1beta1: { "spec.size": {} }, v1: {} } },
      ),
      ["#2 1.33"],
    ],
    [
      "#2: a field has another name in another version",
      api(
        { v1beta1: { introduced: "1.28", deprecated: "1.30", removed: "1.33" }, v1: { introduced: "1.30" } },
        { fields: { v1beta1: { "spec.size": {} }, v1: { "spec.bytes": { same: "spec.size" } } } },
      ),
      [],
    ],
    [
      "#3: a beta version replaces a GA version",
      api({
        v1: { introduced: "1.20", deprecated: "1.30", replacement: "v2beta1" },
        v2beta1: { introduced: "1.30", deprecated: "1.31" },
        v2: { introduced: "1.31" },
      }),
      ["#3 1.31"],
    ],
    [
      "#4a: a GA version is removed",
      api({ v1: { introduced: "1.20", deprecated: "1.25", removed: "1.30" } }),
      ["#4a"],
    ],
    [
      "#4a: a beta version is removed one release too early",
      api({
        v1beta1: { introduced: "1.28", deprecated: "1.29", removed: "1.31" },
        v1: { introduced: "1.29" },
      }),
      ["#4a 1.32"],
    ],
    [
      "#4a: a beta version is removed without a deprecation",
      api({ v1beta1: { introduced: "1.28", removed: "1.29" }, v1: { introduced: "1.28" } }),
      ["#4a 1.32"],
    ],
    [
      "#4a: a beta version is deprecated too late",
      api({ v1beta1: { introduced: "1.24", deprecated: "1.30" }, v1: { introduced: "1.30" } }),
      ["#4a"],
    ],
    ["#4a: an alpha version goes at once", api({ v1alpha1: { introduced: "1.28", removed: "1.29" } }), []],
    [
      "#4b: the stored version advances in the release of the new version",
      api({ v1: { introduced: "1.20" }, v2: { introduced: "1.30" } }, { storage: { "1.30": "v2" } }),
      ["#4b 1.31"],
    ],
    [
      "#4b: the stored version advances one release later",
      api({ v1: { introduced: "1.20" }, v2: { introduced: "1.30" } }, { storage: { "1.31": "v2" } }),
      [],
    ],
    [
      "#4b: so does the preferred version",
      api({ v1: { introduced: "1.20" }, v2: { introduced: "1.30" } }, { preferred: { "1.30": "v2" } }),
      ["#4b 1.31"],
    ],
    [
      "#5a: a flag of kubectl goes after one release",
      { flags: [{ name: "--foo", component: "kubectl", deprecated: "1.30", removed: "1.31" }] },
      ["#5a 1.33"],
    ],
    [
      "#5b: a flag of kubelet goes after four months",
      { flags: [{ name: "--foo", component: "kubelet", deprecated: "1.30", removed: "1.31" }] },
      ["#5b 1.32"],
    ],
    [
      "#5b: a beta flag goes after one release",
      { flags: [{ name: "--foo", stability: "beta", deprecated: "1.30", removed: "1.31" }] },
      [],
    ],
    ["#5b: a flag goes unannounced", { flags: [{ name: "--foo", removed: "1.30" }] }, ["#5b 1.32"]],
    [
      "#5c: a beta flag replaces a GA flag",
      { flags: [{ name: "--foo", deprecated: "1.30", replacement: { name: "--bar", stability: "beta" } }] },
      ["#5c"],
    ],
    [
      "#6: a deprecated flag is silent",
      { flags: [{ name: "--foo", deprecated: "1.30", warns: false }] },
      ["#6"],
    ],
    [
      "#7: a behavior goes after eight months",
      { behaviors: [{ name: "sorting", deprecated: "1.30", removed: "1.32" }] },
      ["#7 1.33"],
    ],
    [
      "#8: an alpha behavior replaces a GA behavior",
      {
        behaviors: [
          { name: "sorting", deprecated: "1.30", replacement: { name: "order", stability: "alpha" } },
        ],
      },
      ["#8"],
    ],
    [
      "#9: the gate of a GA feature goes after one release",
      { featureGates: [{ name: "Foo", alpha: "1.25", beta: "1.28", ga: "1.30", removed: "1.31" }] },
      ["#9 1.32"],
    ],
    [
      "#9: the gate of a beta feature that is given up goes at once",
      { featureGates: [{ name: "Foo", beta: "1.28", dropped: "1.30", removed: "1.30" }] },
      ["#9 1.31"],
    ],
    [
      "#9: the gate is not deprecated when the feature is GA",
      { featureGates: [{ name: "Foo", beta: "1.28", ga: "1.30", deprecated: "1.31" }] },
      ["#9 1.30"],
    ],
    [
      "#9: the gate of an alpha feature goes at once",
      { featureGates: [{ name: "Foo", alpha: "1.28", removed: "1.29" }] },
      [],
    ],
    [
      "#10: a deprecated gate is silent",
      { featureGates: [{ name: "Foo", ga: "1.30", warns: false }] },
      ["#10"],
    ],
    [
      "#11a and #11b: a stable metric goes soon after it came",
      { metrics: [{ name: "m", class: "STABLE", introduced: "1.28", deprecated: "1.29", hidden: "1.30" }] },
      ["#11a 1.32", "#11b 1.32"],
    ],
    [
      "#11b: a beta metric goes unannounced",
      { metrics: [{ name: "m", class: "BETA", introduced: "1.20", removed: "1.30" }] },
      ["#11b 1.31"],
    ],
    ["an alpha metric goes at once", { metrics: [{ name: "m", introduced: "1.30", removed: "1.31" }] }, []],
    ["an empty plan", {}, []],
  ])("%s", (_, plan, findings) => {
    expect(broken(plan)).toEqual(findings);
  });

  test("a plan may name releases that are not out yet", () => {
    const late = (removed: string): DeprecationPlan => ({
      ...api({ v1beta1: { introduced: "1.36", deprecated: "1.37", removed }, v1: { introduced: "1.37" } }),
      flags: [{ name: "--foo", deprecated: "1.36", removed: "1.37" }],
    });
    expect(broken(late("1.39"))).toEqual(["#4a 1.40", "#5b 1.38"]);
    expect(broken(late("1.40"))).toEqual(["#5b 1.38"]);
  });

  test("months count where releases were frequent", () => {
    // The second release after 1.34 comes out after 8 months.
    const [finding] = lintDeprecations({
      behaviors: [{ name: "sorting", deprecated: "1.34", removed: "1.36" }],
    });
    expect(finding).toMatchObject({ rule: "#7", subject: "behavior sorting", earliest: "1.37" });
    expect(finding?.message).toContain("removed in 1.36, but deprecated in 1.34");
  });
});

test("the example of the policy breaks no rule, wherever it starts", () => {
  const at = (offset: number) => `1.${16 + offset}`;
  const findings = broken(
    api({
      v1alpha1: { introduced: at(0), removed: at(1) },
      v1alpha2: { introduced: at(1), removed: at(2) },
      v1beta1: { introduced: at(2), deprecated: at(3), removed: at(6) },
      v1beta2: { introduced: at(3), deprecated: at(5), removed: at(8) },
      v1: { introduced: at(5), deprecated: at(12) },
      v2alpha1: { introduced: at(8), removed: at(9) },
      v2alpha2: { introduced: at(9), removed: at(10) },
      v2beta1: { introduced: at(10), deprecated: at(11), removed: at(14) },
      v2beta2: { introduced: at(11), deprecated: at(12), removed: at(15) },
      v2: { introduced: at(12) },
    }),
  );
  expect(findings).toEqual([]);
});

test.each<[title: string, plan: object, message: string]>([
  ["an unknown list", { flag: [] }, 'unknown option "flag"; did you mean "flags"?'],
  ["a list that is none", { flags: {} }, "flags must be a list"],
  [
    "an unknown member",
    { flags: [{ nam: "--foo" }] },
    'flags[0]: unknown option "nam"; did you mean "name"?',
  ],
  [
    "a version that reaches a prototype",
    { apis: [{ group, timeline: JSON.parse('{"__proto__": {"introduced": "1.30"}}') }] },
    'apis[0]: the timeline is not possible: "__proto__" is not a version',
  ],
  ["a missing member", { metrics: [{ name: "m" }] }, "metrics[0] needs the option introduced"],
  ["an entry that is none", { flags: ["--foo"] }, "flags[0]: the options must be an object"],
  [
    "an unknown release",
    { featureGates: [{ name: "Foo", ga: "1.99" }] },
    'featureGates[0]: release "1.99" is not supported',
  ],
  [
    "a life that contradicts itself",
    { flags: [{ name: "--foo", deprecated: "1.30", removed: "1.29" }] },
    "flags[0]: removed in 1.29, before deprecated in 1.30",
  ],
  [
    "a timeline that contradicts itself",
    { apis: [{ group, timeline: { v1: { introduced: "1.30", removed: "1.29" } } }] },
    "apis[0]: the timeline is not possible: v1 is removed in 1.29",
  ],
  [
    "fields of a version that does not exist",
    { apis: [{ group, timeline: { v1: { introduced: "1.30" } }, fields: { v2: {} } }] },
    "apis[0]: the timeline has no version v2, which has fields",
  ],
  [
    "a list of fields that is none",
    { apis: [{ group, timeline: { v1: { introduced: "1.30" } }, fields: { v1: null } }] },
    "apis[0]: v1: the fields must be an object",
  ],
  [
    "a field that is older than its version",
    {
      apis: [
        { group, timeline: { v1: { introduced: "1.30" } }, fields: { v1: { a: { introduced: "1.28" } } } },
      ],
    },
    "apis[0]: v1 a: introduced in 1.28, before the version in 1.30",
  ],
  [
    "a group that is none",
    { apis: [{ group: "a b", timeline: { v1: { introduced: "1.30" } } }] },
    'apis[0]: group "a b" is not a domain',
  ],
  [
    "a release without quotes",
    { flags: [{ name: "--foo", deprecated: 1.3 }] },
    'flags[0]: deprecated must be a release in quotes such as "1.32", not 1.3',
  ],
  [
    "an unknown stability of a replacement",
    { flags: [{ name: "--foo", deprecated: "1.30", replacement: { name: "--bar", stability: "bet" } }] },
    'flags[0]: replacement: stability must be "GA", "beta" or "alpha", not "bet"; did you mean "beta"?',
  ],
  [
    "an unknown member of a replacement",
    { behaviors: [{ name: "a", deprecated: "1.30", replacement: { nam: "b" } }] },
    'behaviors[0]: replacement: unknown option "nam"; did you mean "name"?',
  ],
  [
    "a gate whose feature is GA and given up",
    { featureGates: [{ name: "Foo", ga: "1.30", dropped: "1.31" }] },
    "featureGates[0]: the feature is GA, so it is not given up",
  ],
  [
    "a gate without a stage",
    { featureGates: [{ name: "Foo", removed: "1.31" }] },
    "featureGates[0]: the feature has no stage: add alpha, beta or ga",
  ],
  [
    "a gate that goes before its deprecation",
    { featureGates: [{ name: "Foo", beta: "1.30", deprecated: "1.33", removed: "1.32" }] },
    "featureGates[0]: removed in 1.32, before deprecated in 1.33",
  ],
  [
    "a flag with two lives",
    { flags: [{ name: "--foo" }, { name: "--bar" }, { name: "--foo", component: "kube-apiserver" }] },
    "flags[2]: --foo of kube-apiserver is already in flags[0]",
  ],
])("%s is an error", (_, plan, message) => {
  // What reaches the function from a file can have any form.
  expect(() => lintDeprecations(plan as DeprecationPlan)).toThrow(message);
});
