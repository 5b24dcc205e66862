import { expect, test } from "vitest";
import type { DeprecationRule } from "./deprecation-finding.ts";
import { type DeprecationPlan, lintDeprecations } from "./lint-deprecations.ts";

const api = (timeline: object, more: object = {}): DeprecationPlan => ({
  // Each row states a timeline.
  apis: [{ group: "example.com", timeline: timeline as never, ...more }],
});

const beta = { introduced: "1.28", deprecated: "1.30", removed: "1.33" };
const life = { v1beta1: beta, v1: { introduced: "1.30" } };
const two = { v1: { introduced: "1.20" }, v2: { introduced: "1.30" } };

/** For each rule, a plan that breaks it and one that does not, and the earliest release that the rule would allow. */
test.each<
  [DeprecationRule, breaking: DeprecationPlan, earliest: string | undefined, passing: DeprecationPlan]
>([
  [
    "#1",
    api(life, { fields: { v1beta1: { size: { removed: "1.31" } } } }),
    "1.33",
    api(life, { fields: { v1beta1: { size: { removed: "1.33" } } } }),
  ],
  [
    "#2",
    api(life, { fields: { v1beta1: { size: {} }, v1: {} } }),
    "1.33",
    api(life, { fields: { v1beta1: { size: {} }, v1: { bytes: { same: "size" } } } }),
  ],
  [
    "#3",
    api({
      v1: { introduced: "1.20", deprecated: "1.30", replacement: "v2beta1" },
      v2beta1: { introduced: "1.30", deprecated: "1.31" },
      v2: { introduced: "1.31" },
    }),
    "1.31",
    api({
      v1: { introduced: "1.20", deprecated: "1.31", replacement: "v2" },
      v2beta1: { introduced: "1.30", deprecated: "1.31" },
      v2: { introduced: "1.31" },
    }),
  ],
  ["#4a", api({ ...life, v1beta1: { ...beta, removed: "1.31" } }), "1.33", api(life)],
  ["#4b", api(two, { storage: { "1.30": "v2" } }), "1.31", api(two, { storage: { "1.31": "v2" } })],
  [
    "#5a",
    { flags: [{ name: "--foo", component: "kubectl", deprecated: "1.30", removed: "1.31" }] },
    "1.33",
    { flags: [{ name: "--foo", component: "kubectl", deprecated: "1.30", removed: "1.33" }] },
  ],
  [
    "#5b",
    { flags: [{ name: "--foo", deprecated: "1.30", removed: "1.31" }] },
    "1.32",
    { flags: [{ name: "--foo", deprecated: "1.30", removed: "1.32" }] },
  ],
  [
    "#5c",
    { flags: [{ name: "--foo", deprecated: "1.30", replacement: { name: "--bar", stability: "alpha" } }] },
    undefined,
    { flags: [{ name: "--foo", deprecated: "1.30", replacement: { name: "--bar" } }] },
  ],
  [
    "#6",
    { flags: [{ name: "--foo", deprecated: "1.30", warns: false }] },
    undefined,
    { flags: [{ name: "--foo", warns: false }] },
  ],
  [
    "#7",
    { behaviors: [{ name: "sorting", deprecated: "1.30", removed: "1.32" }] },
    "1.33",
    { behaviors: [{ name: "sorting", deprecated: "1.30", removed: "1.33" }] },
  ],
  [
    "#8",
    { behaviors: [{ name: "a", deprecated: "1.30", replacement: { name: "b", stability: "beta" } }] },
    undefined,
    {
      behaviors: [
        { name: "a", stability: "beta", deprecated: "1.30", replacement: { name: "b", stability: "beta" } },
      ],
    },
  ],
  [
    "#9",
    { featureGates: [{ name: "Foo", beta: "1.28", ga: "1.30", removed: "1.31" }] },
    "1.32",
    { featureGates: [{ name: "Foo", beta: "1.28", ga: "1.30", removed: "1.32" }] },
  ],
  [
    "#10",
    { featureGates: [{ name: "Foo", ga: "1.30", warns: false }] },
    undefined,
    { featureGates: [{ name: "Foo", ga: "1.30", warns: true }] },
  ],
  [
    "#11a",
    { metrics: [{ name: "m", class: "STABLE", introduced: "1.28", deprecated: "1.28", hidden: "1.31" }] },
    "1.32",
    { metrics: [{ name: "m", class: "STABLE", introduced: "1.28", deprecated: "1.28", hidden: "1.32" }] },
  ],
  [
    "#11b",
    { metrics: [{ name: "m", class: "BETA", introduced: "1.20", deprecated: "1.30", removed: "1.30" }] },
    "1.31",
    { metrics: [{ name: "m", class: "BETA", introduced: "1.20", deprecated: "1.30", removed: "1.31" }] },
  ],
])("rule %s has a plan that breaks it alone, and one that does not", (rule, breaking, earliest, passing) => {
  const [finding, ...more] = lintDeprecations(breaking);
  expect([finding?.rule, finding?.earliest, more]).toEqual([rule, earliest, []]);
  expect(lintDeprecations(passing)).toEqual([]);
});
