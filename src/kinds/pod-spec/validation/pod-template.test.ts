import { describe, expect, test } from "vitest";
import { fieldErrorLines } from "../../../../test/field-errors.ts";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import { structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { collectErrors } from "../../../apimachinery/validation/findings.ts";
import { featureGates } from "../../../catalog/feature-gates.ts";
import { addPodTemplateSpecErrors } from "./pod-template.ts";
import { templateValidationOptions } from "./pod-validation-options.ts";

const container = { name: "c", image: "i" };

function defaultedTemplate(spec: JsonObject, metadata: JsonObject): JsonObject {
  const template = { metadata, spec: { containers: [container], ...spec } };
  return structAt(defaulted("v1/PodTemplate", { template }), "template");
}

/** The errors of a template, which replaces `old` if that is given. */
function findings(spec: JsonObject, metadata: JsonObject = {}, old?: JsonObject): readonly string[] {
  const template = defaultedTemplate(spec, metadata);
  const options = templateValidationOptions(featureGates("1.32"), old);
  return fieldErrorLines(
    collectErrors((errors) => addPodTemplateSpecErrors(errors, template, "spec.template", options)),
  );
}

describe("a template is refused for", () => {
  test.each<readonly [string, JsonObject, JsonObject, readonly unknown[]]>([
    [
      "invalid labels and annotations",
      {},
      { labels: { "a b": "c" }, annotations: { "d e": "f" } },
      [
        expect.stringContaining('spec.template.labels: Invalid value: "a b"'),
        expect.stringContaining('spec.template.annotations: Invalid value: "d e"'),
      ],
    ],
    [
      "ephemeral containers",
      { ephemeralContainers: [{ name: "e", image: "i" }] },
      {},
      ["spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"],
    ],
    [
      "a tolerations annotation that is not JSON",
      {},
      { annotations: { "scheduler.alpha.kubernetes.io/tolerations": "x" } },
      [
        `spec.template.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": invalid character 'x' looking for beginning of value`,
      ],
    ],
    [
      "an empty mirror annotation",
      {},
      { annotations: { "kubernetes.io/config.mirror": "x" } },
      [
        'spec.template.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
      ],
    ],
    [
      "a deletion cost that is not a number",
      {},
      { annotations: { "controller.kubernetes.io/pod-deletion-cost": "+1" } },
      [
        'spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
      ],
    ],
    [
      "invalid tolerations in an annotation",
      {},
      { annotations: { "scheduler.alpha.kubernetes.io/tolerations": '[{"key":"a","operator":"X"}]' } },
      [
        'spec.template.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
      ],
    ],
    [
      "an invalid seccomp profile in an annotation",
      {},
      { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "x" } },
      [
        'spec.template.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile',
      ],
    ],
    [
      "an invalid AppArmor profile in an annotation of a missing container",
      {},
      { annotations: { "container.apparmor.security.beta.kubernetes.io/z": "x" } },
      [
        'spec.template.annotations[container.apparmor.security.beta.kubernetes.io/z]: Invalid value: "z": container not found',
        'spec.template.annotations[container.apparmor.security.beta.kubernetes.io/z]: Invalid value: "x": invalid AppArmor profile name: "x"',
      ],
    ],
    [
      "profiles that differ between fields and annotations",
      {
        securityContext: { seccompProfile: { type: "Unconfined" } },
        containers: [
          {
            ...container,
            securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: "a" } },
          },
        ],
      },
      {
        annotations: {
          "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
          "container.apparmor.security.beta.kubernetes.io/c": "localhost/b",
        },
      },
      [
        "spec.template.spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match",
        "spec.template.spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match",
      ],
    ],
  ])("%s", (_title, spec, metadata, expected) => expect(findings(spec, metadata)).toEqual(expected));
});

describe("a template may have", () => {
  test.each<readonly [string, JsonObject]>([
    ["an image with surrounding spaces", { containers: [{ ...container, image: " i " }] }],
    ["an image volume without a reference", { volumes: [{ name: "v", image: { pullPolicy: "Never" } }] }],
  ])("%s", (_title, spec) => expect(findings(spec)).toEqual([]));

  test.each<readonly [string, JsonObject, JsonObject]>([
    [
      "a deletion cost that is not a number",
      {},
      { annotations: { "controller.kubernetes.io/pod-deletion-cost": "x" } },
    ],
    [
      "invalid label values",
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["a b"] }] }],
            },
          },
        },
      },
      {},
    ],
    [
      "sysctls of the host",
      { hostNetwork: true, securityContext: { sysctls: [{ name: "net.a", value: "1" }] } },
      {},
    ],
    ["search domains with underscores", { dnsConfig: { searches: ["_a"] } }, {}],
    ["fractions of huge pages", { overhead: { "hugepages-2Mi": "3Mi", cpu: "1" } }, {}],
    [
      "a sleep of zero seconds",
      { containers: [{ ...container, lifecycle: { preStop: { sleep: { seconds: 0 } } } }] },
      {},
    ],
  ])("%s, if it had it before", (_title, spec, metadata) => {
    expect(findings(spec, metadata)).not.toEqual([]);
    expect(findings(spec, metadata, defaultedTemplate(spec, metadata))).toEqual([]);
  });
});
