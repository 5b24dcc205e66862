import { expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { job, podTemplate } from "../../registry/workloads.ts";

const path = "/apis/batch/v1/namespaces/default/jobs";
const nonnegative = "must be greater than or equal to 0";
const conditions = [{ type: "DisruptionTarget" }];

/** An Indexed Job of ten, with changes to its spec. */
function indexed(spec: object = {}): object {
  return { completionMode: "Indexed", completions: 10, ...spec };
}

function failurePolicy(...rules: readonly object[]): object {
  return { podFailurePolicy: { rules } };
}

test.each<[title: string, spec: object, findings: readonly string[]]>([
  [
    "a failure policy for pods that restart",
    {
      ...failurePolicy({ action: "Ignore", onPodConditions: conditions }),
      podReplacementPolicy: "TerminatingOrFailed",
      template: podTemplate({ restartPolicy: "OnFailure" }),
    },
    [
      'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
  ],
  [
    "failure rules without an action or a cause",
    failurePolicy({}, { action: "Q", onPodConditions: conditions }, { action: "FailIndex" }),
    [
      'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
      'spec.podFailurePolicy.rules[1].action: Unsupported value: "Q": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
      'spec.podFailurePolicy.rules[2].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      "spec.podFailurePolicy.rules[2]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
    ],
  ],
  [
    "a failure rule with two causes that are wrong",
    failurePolicy({
      action: "FailJob",
      onExitCodes: { containerName: "x", operator: "In", values: [3, 0, 3] },
      onPodConditions: [{ type: "a b", status: "Maybe" }],
    }),
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
      "spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator",
      "spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 3",
      "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{3, 0, 3}: must be ordered",
      expect.stringContaining("spec.podFailurePolicy.rules[0].onPodConditions[0].type: Invalid value"),
      'spec.podFailurePolicy.rules[0].onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported",
    ],
  ],
  [
    "exit codes without an operator or codes",
    failurePolicy({ action: "FailJob", onExitCodes: { operator: "", values: [] } }),
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
      "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{}: at least one value is required",
    ],
  ],
  [
    "too many rules, codes and conditions",
    failurePolicy(
      ...Array.from({ length: 19 }, () => ({ action: "Ignore", onPodConditions: conditions })),
      { action: "Ignore", onExitCodes: { operator: "NotIn", values: range(256) } },
      {
        action: "Ignore",
        onPodConditions: range(21).map((number) => ({ type: `c${number}` })),
      },
    ),
    [
      "spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items",
      "spec.podFailurePolicy.rules[19].onExitCodes.values: Too many: 256: must have at most 255 items",
      "spec.podFailurePolicy.rules[20].onPodConditions: Too many: 21: must have at most 20 items",
    ],
  ],
  [
    "no success",
    indexed({ successPolicy: { rules: [] } }),
    [
      "spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified",
    ],
  ],
  [
    "a list of indexes that is too long",
    indexed({ successPolicy: { rules: [{ succeededIndexes: "x".repeat(65_537) }] } }),
    [
      "spec.successPolicy.rules[0].succeededIndexes: Too long: may not be more than 65536 bytes",
      expect.stringContaining("error parsing succeededIndexes: cannot convert string to integer for index"),
    ],
  ],
  [
    "success that cannot be counted",
    indexed({
      successPolicy: {
        rules: [
          {},
          { succeededIndexes: "x" },
          { succeededIndexes: "0-2", succeededCount: 4 },
          { succeededCount: 11 },
          { succeededCount: -1 },
        ],
      },
    }),
    [
      "spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified",
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"',
      "spec.successPolicy.rules[2].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)",
      "spec.successPolicy.rules[3].succeededCount: Invalid value: 11: must be less than or equal to 10 (the number of specified completions)",
      `spec.successPolicy.rules[4].succeededCount: Invalid value: -1: ${nonnegative}`,
    ],
  ],
  [
    "too many success rules",
    indexed({ successPolicy: { rules: range(21).map(() => ({ succeededCount: 1 })) } }),
    ["spec.successPolicy.rules: Too many: 21: must have at most 20 items"],
  ],
])("a Job is refused for %s", async (_title, spec, findings) => {
  const send = testClient(quietCluster());
  expect((await send("POST", path, job("j", spec))).findings).toEqual(findings);
});

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, position) => position);
}
