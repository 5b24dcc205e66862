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
      "of 1.32 cannot sleep for zero seconds",
      { release: "1.32" },
      asleep,
      {},
      [expect.stringMatching(/^lifecycle\.preStop\.sleep: Invalid value: 0: must be greater than 0 and/)],
    ],
    ["of 1.33 can sleep for zero seconds", { release: "1.33" }, asleep, {}, []],
    [
      "of 1.33 cannot sleep longer than the grace period",
      { release: "1.33" },
      sleep,
      {},
      [
        "lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
      ],
    ],
    [
      "of 1.31 has variable names of the C locale",
      { release: "1.31" },
      { env: [{ name: "1A", value: "b" }] },
      {},
      [strictName],
    ],
    ["of 1.32 has any variable names", { release: "1.32" }, { env: [{ name: "1A", value: "b" }] }, {}, []],
    [
      "of 1.34 can use only claims of its pod",
      { release: "1.34" },
      { resources: { claims: [{ name: "a" }] } },
      {},
      [`${resource}"a": must be one of the names in pod.spec.resourceClaims which is empty`],
    ],
    [
      "of 1.34 cannot have a restart policy",
      { release: "1.34" },
      { restartPolicy: "Never" },
      {},
      ["restartPolicy: Forbidden: may not be set for non-init containers"],
    ],
    ["of 1.35 can have a restart policy and rules", { release: "1.35" }, restarting(rule), {}, []],
    [
      "of 1.35 must have a known restart policy and action",
      { release: "1.35" },
      { restartPolicy: "Sometimes" },
      {},
      ['restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"'],
    ],
    [
      "of 1.35 cannot have rules without a policy",
      { release: "1.35" },
      { restartPolicyRules: [rule] },
      {},
      ["restartPolicy: Required value: must specify restartPolicy when restart rules are used"],
    ],
    [
      "of 1.35 must have complete rules",
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
      "of 1.35 has a limited number of rules and codes",
      { release: "1.35" },
      restarting(ofMany, ...Array.from({ length: 20 }, () => rule)),
      {},
      [
        "restartPolicyRules: Too long: may not be more than 20 bytes",
        "restartPolicyRules[0].exitCodes.values: Too long: may not be more than 255 bytes",
      ],
    ],
    [
      "of 1.36 has a limited number of rules and codes",
      { release: "1.36" },
      restarting(ofMany, ...Array.from({ length: 20 }, () => rule)),
      {},
      [
        "restartPolicyRules: Too many: 21: must have at most 20 items",
        "restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items",
      ],
    ],
    [
      "of 1.36 can restart all containers",
      { release: "1.36" },
      restarting({ ...rule, action: "RestartAllContainers" }, { ...rule, action: "Wait" }),
      {},
      [
        'restartPolicyRules[1].action: Unsupported value: "Wait": supported values: "Restart", "RestartAllContainers"',
      ],
    ],
    [
      "has one resize policy for each compute resource",
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
      "of a pod that never restarts cannot restart on resize",
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
      "of 1.32 cannot have resize policies on init containers",
      { release: "1.32", ...resizes },
      resizable,
      [
        'spec.initContainers[0].resizePolicy: Invalid value: []core.ContainerResizePolicy{core.ContainerResizePolicy{ResourceName:"cpu", RestartPolicy:"NotRequired"}}: must not be set for init containers',
      ],
    ],
    ["of 1.33 can have resize policies on sidecars", { release: "1.33", ...resizes }, resizable, []],
    [
      "of 1.32 can search only domains that are host names",
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
        `of ${release} can search the root and names that start with an underscore`,
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
