import { expect, test } from "vitest";
import type { FieldCause } from "../../apimachinery/errors/field.ts";
import { addLabelErrors } from "./policy.ts";

const prefix = "pod-security.kubernetes.io/";

test.each<[title: string, labels: { readonly [name: string]: string }, findings: readonly string[]]>([
  ["levels and versions", { enforce: "baseline", "enforce-version": "latest", "warn-version": "v1.30" }, []],
  [
    "a level that is none",
    { enforce: "zed" },
    [
      `metadata.labels[${prefix}enforce]: Invalid value: "zed": must be one of privileged, baseline, restricted`,
    ],
  ],
  [
    "versions that are none",
    { "enforce-version": "1.2", "audit-version": "v1.02", "warn-version": "v2.0" },
    [
      `metadata.labels[${prefix}enforce-version]: Invalid value: "1.2": must be "latest" or "v1.x"`,
      `metadata.labels[${prefix}audit-version]: Invalid value: "v1.02": must be "latest" or "v1.x"`,
      `metadata.labels[${prefix}warn-version]: Invalid value: "v2.0": must be "latest" or "v1.x"`,
    ],
  ],
])("a namespace may be labelled with %s, or not", (_title, labels, findings) => {
  const prefixed = Object.fromEntries(Object.entries(labels).map(([name, value]) => [prefix + name, value]));
  const errors: FieldCause[] = [];
  addLabelErrors(errors, prefixed);
  expect(errors.map(({ field, body }) => `${field}: ${body}`)).toEqual(findings);
});
