import { describe, expect, test } from "vitest";
import { containerFindings, podSpecFindings, type Ruling } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const resizes = { open: ["InPlacePodVerticalScaling"] };
const strictName = expect.stringMatching(
  /^env\[0\]\.name: Invalid value: "1A": a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '\.', and must not start with a digit/,
);

function policy(resourceName: string, restartPolicy: string): JsonObject {
  return { resourceName, restartPolicy };
}

function restarting(...restartPolicyRules: readonly JsonObject[]): JsonObject {
  return { restartPolicy: "Never", restartPolicyRules };
}

describe("a container", () => {
  const rule = { action: "Restart", exitCodes: { operator: "In", values: [1] } };
  const ofMany = { ...rule, exitCodes: { operator: "In", values: Array.from({ length: 256 }, (_, i) => i) } };
  const sleep = { lifecycle: { preStop: { sleep: { seconds: 31 } } } };
  const asleep = { lifecycle: { preStop: { sleep: { seconds: 0 } } } };
  const resource = "resources.claims[0]: Not found: ";

  test.each<
    [title: string, ruling: Ruling, container: JsonObject, spec: JsonObject, findings: readonly unknown[]]
  >([
    [
      "of 1.32 sleeps for some time",
      { release: "1.32" },
      asleep,
      {},
      [expect.stringMatching(/^lifecycle\.preStop\.sleep: Invalid value: 0: must be greater than 0 and/)],
    ],
    ["of 1.33 may sleep for no time", { release: "1.33" }, asleep, {}, []],
    [
      "of 1.33 sleeps no longer than the pod has",
      { release: "1.33" },
      sleep,
      {},
      [
        "lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
      ],
    ],
    [
      "of 1.31 has variables that shells know",
      { release: "1.31" },
      { env: [{ name: "1A", value: "b" }] },
      {},
      [strictName],
    ],
    ["of 1.32 has variables of any name", { release: "1.32" }, { env: [{ name: "1A", value: "b" }] }, {}, []],
    [
      "of 1.34 uses the claims of its pod, which may have none",
      { release: "1.34" },
      { resources: { claims: [{ name: "a" }] } },
      {},
      [`${resource}"a": must be one of the names in pod.spec.resourceClaims which is empty`],
    ],
    [
      "of 1.34 has no restart policy of its own",
      { release: "1.34" },
      { restartPolicy: "Never" },
      {},
      ["restartPolicy: Forbidden: may not be set for non-init containers"],
    ],
    ["of 1.35 may have one, and rules", { release: "1.35" }, restarting(rule), {}, []],
    [
      "of 1.35 has none but those that there are",
      { release: "1.35" },
      { restartPolicy: "Sometimes" },
      {},
      ['restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"'],
    ],
    [
      "of 1.35 has none but rules",
      { release: "1.35" },
      { restartPolicyRules: [rule] },
      {},
      ["restartPolicy: Required value: must specify restartPolicy when restart rules are used"],
    ],
    [
      "of 1.35 has rules that say what they are about",
      { release: "1.35" },
      restarting({ action: "Wait" }, { action: "Restart", exitCodes: { operator: "Is" } }),
      {},
      [
        'restartPolicyRules[0].action: Unsupported value: "Wait": supported values: "Restart"',
        "restartPolicyRules[0].exitCodes: Required value: must be specified",
        'restartPolicyRules[1].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"',
      ],
    ],
    [
      "of 1.35 has as many rules and codes as fit",
      { release: "1.35" },
      restarting(ofMany, ...Array.from({ length: 20 }, () => rule)),
      {},
      [
        "restartPolicyRules: Too long: may not be more than 20 bytes",
        "restartPolicyRules[0].exitCodes.values: Too long: may not be more than 255 bytes",
      ],
    ],
    [
      "of 1.36 has as many rules and codes as fit",
      { release: "1.36" },
      restarting(ofMany, ...Array.from({ length: 20 }, () => rule)),
      {},
      [
        "restartPolicyRules: Too many: 21: must have at most 20 items",
        "restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items",
      ],
    ],
    [
      "of 1.36 may restart all",
      { release: "1.36" },
      restarting({ ...rule, action: "RestartAllContainers" }, { ...rule, action: "Wait" }),
      {},
      [
        'restartPolicyRules[1].action: Unsupported value: "Wait": supported values: "Restart", "RestartAllContainers"',
      ],
    ],
    [
      "says of each compute resource once how it is resized, and of no other",
      resizes,
      {
        resizePolicy: [
          policy("cpu", "NotRequired"),
          policy("cpu", "No"),
          policy("storage", ""),
          policy("", "X"),
        ],
      },
      {},
      [
        'resizePolicy[1]: Duplicate value: "cpu"',
        'resizePolicy: Unsupported value: "No": supported values: "NotRequired", "RestartContainer"',
        'resizePolicy: Unsupported value: "storage": supported values: "cpu", "memory"',
        "resizePolicy: Required value",
        "resizePolicy: Required value",
        'resizePolicy: Unsupported value: "X": supported values: "NotRequired", "RestartContainer"',
      ],
    ],
    [
      "of a pod that never restarts is resized without a restart",
      resizes,
      { resizePolicy: [policy("cpu", "RestartContainer")] },
      { restartPolicy: "Never" },
      [
        "resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'",
      ],
    ],
  ])("%s", (_title, ruling, container, spec, findings) => {
    expect(containerFindings(container, spec, ruling)).toEqual(findings);
  });
});

describe("a pod", () => {
  const resizable = {
    initContainers: [{ name: "s", image: "i", resizePolicy: [policy("cpu", "NotRequired")] }],
  };
  const searches = { dnsConfig: { searches: [".", "_a.b", "A_"] } };
  const label = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters";

  type Row = readonly [title: string, ruling: Ruling, spec: JsonObject, findings: readonly unknown[]];

  test.each<Row>([
    [
      "of 1.32 has init containers that are never resized",
      { release: "1.32", ...resizes },
      resizable,
      [
        'spec.initContainers[0].resizePolicy: Invalid value: []core.ContainerResizePolicy{core.ContainerResizePolicy{ResourceName:"cpu", RestartPolicy:"NotRequired"}}: must not be set for init containers',
      ],
    ],
    ["of 1.33 may have init containers that are", { release: "1.33", ...resizes }, resizable, []],
    [
      "of 1.32 searches domains that are names of hosts",
      { release: "1.32" },
      searches,
      [0, 1, 2].map((i) =>
        expect.stringMatching(`^spec.dnsConfig.searches\\[${i}\\]: .*: ${label}, '-' or '.'`),
      ),
    ],
    ...(
      [
        ["1.33", "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"],
        ["1.34", "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*"],
      ] as const
    ).map(
      ([release, expression]): Row => [
        `of ${release} searches the root and names that begin with an underscore, too`,
        { release },
        searches,
        [
          `spec.dnsConfig.searches[2]: Invalid value: "A_": ${label}, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${expression}')`,
        ],
      ],
    ),
  ])("%s", (_title, ruling, spec, findings) => {
    expect(podSpecFindings(spec, ruling)).toEqual(findings);
  });
});
