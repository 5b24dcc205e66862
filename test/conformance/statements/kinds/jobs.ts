import type { Statement } from "../statement.ts";
import { kindStatements, letters } from "./kind-cases.ts";

const batch = "/apis/batch/v1/namespaces/default";

function tpl(spec: object = {}): { readonly metadata: object; readonly spec: object } {
  return {
    metadata: {},
    spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "i" }], ...spec },
  };
}

const never = tpl({ restartPolicy: "Never" });

export const jobsStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Job",
      source: "kubernetes, pkg/apis/batch/validation/validation_test.go, TestValidateJob",
      target: `${batch}/jobs`,
      body: (changes) => ({ spec: { template: tpl(), ...changes } }),
    },
    [
      ["ok", {}],
      ["always", { template: tpl({ restartPolicy: "Always" }) }, "spec.template.spec.restartPolicy"],
      ["none restart", { template: tpl({ restartPolicy: undefined }) }, "spec.template.spec.restartPolicy"],
      ["neg parallelism", { parallelism: -1 }, "spec.parallelism"],
      ["neg completions", { completions: -1 }, "spec.completions"],
      ["neg activeDeadlineSeconds", { activeDeadlineSeconds: -1 }, "spec.activeDeadlineSeconds"],
      ["neg backoffLimit", { backoffLimit: -1 }, "spec.backoffLimit"],
      ["neg ttlSecondsAfterFinished", { ttlSecondsAfterFinished: -1 }, "spec.ttlSecondsAfterFinished"],
      ["manual no selector", { manualSelector: true }, "spec.selector"],
      ["selector without manual", { selector: { matchLabels: { a: "b" } } }, "spec.selector"],
      ["indexed no completions", { completionMode: "Indexed" }],
      ["indexed", { completionMode: "Indexed", completions: 2, parallelism: 100000 }],
      [
        "indexed 100001",
        { completionMode: "Indexed", completions: 100001, parallelism: 100001 },
        "spec.parallelism",
      ],
      ["bad mode", { completionMode: "Q" }, "spec.completionMode"],
      [
        "long name indexed",
        { completionMode: "Indexed", completions: 1 },
        "metadata.name",
        { name: letters(62) },
      ],
      ["name 61 indexed", { completionMode: "Indexed", completions: 1 }, undefined, { name: letters(61) }],
      ["name 63", {}, undefined, { name: letters(63) }],
      ["name 64", {}, "spec.template.labels", { name: letters(64) }],
      [
        "pfp with OnFailure",
        {
          podFailurePolicy: {
            rules: [{ action: "Ignore", onPodConditions: [{ type: "X", status: "True" }] }],
          },
        },
        "spec.template.spec.restartPolicy",
      ],
      [
        "pfp ok",
        {
          template: never,
          podFailurePolicy: {
            rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }],
          },
        },
      ],
      [
        "pfp codes",
        {
          template: never,
          podFailurePolicy: {
            rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1, 2] } }],
          },
        },
      ],
      [
        "pfp 0 In",
        {
          template: never,
          podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [0] } }] },
        },
        "spec.podFailurePolicy.rules[0].onExitCodes.values[0]",
      ],
      [
        "pfp dup",
        {
          template: never,
          podFailurePolicy: {
            rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1, 1] } }],
          },
        },
        "spec.podFailurePolicy.rules[0].onExitCodes.values[1]",
      ],
      [
        "pfp unordered",
        {
          template: never,
          podFailurePolicy: {
            rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [2, 1] } }],
          },
        },
        "spec.podFailurePolicy.rules[0].onExitCodes.values",
      ],
      [
        "pfp container",
        {
          template: never,
          podFailurePolicy: {
            rules: [{ action: "FailJob", onExitCodes: { containerName: "z", operator: "In", values: [1] } }],
          },
        },
        "spec.podFailurePolicy.rules[0].onExitCodes.containerName",
      ],
      [
        "pfp both",
        {
          template: never,
          podFailurePolicy: {
            rules: [
              {
                action: "FailJob",
                onPodConditions: [{ type: "X" }],
                onExitCodes: { operator: "In", values: [1] },
              },
            ],
          },
        },
        "spec.podFailurePolicy.rules[0]",
      ],
      [
        "pfp none",
        { template: never, podFailurePolicy: { rules: [{ action: "FailJob" }] } },
        "spec.podFailurePolicy.rules[0]",
      ],
      [
        "pfp FailIndex",
        {
          template: never,
          podFailurePolicy: {
            rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }],
          },
        },
        "spec.podFailurePolicy.rules[0].action",
      ],
      [
        "backoffPerIndex non indexed",
        { template: never, backoffLimitPerIndex: 1 },
        "spec.backoffLimitPerIndex",
      ],
      [
        "backoffPerIndex",
        { template: never, backoffLimitPerIndex: 1, completionMode: "Indexed", completions: 3 },
      ],
      [
        "maxFailed w/o",
        { template: never, maxFailedIndexes: 1, completionMode: "Indexed", completions: 3 },
        "spec.backoffLimitPerIndex",
      ],
      [
        "maxFailed > completions",
        {
          template: never,
          backoffLimitPerIndex: 1,
          maxFailedIndexes: 4,
          completionMode: "Indexed",
          completions: 3,
        },
        "spec.maxFailedIndexes",
      ],
      [
        "repl policy with pfp",
        { template: never, podReplacementPolicy: "TerminatingOrFailed", podFailurePolicy: { rules: [] } },
        "spec.podReplacementPolicy",
      ],
      ["repl bad", { podReplacementPolicy: "Q" }, "spec.podReplacementPolicy"],
      ["managedBy bad", { managedBy: "foo" }, "spec.managedBy"],
      ["managedBy", { managedBy: "example.com/foo" }],
      ["success non indexed", { successPolicy: { rules: [{ succeededCount: 1 }] } }, "spec.successPolicy"],
      [
        "success ok",
        {
          completionMode: "Indexed",
          completions: 5,
          successPolicy: { rules: [{ succeededCount: 1, succeededIndexes: "0-2" }] },
        },
      ],
      [
        "success out",
        {
          completionMode: "Indexed",
          completions: 5,
          successPolicy: { rules: [{ succeededIndexes: "0-5" }] },
        },
        "spec.successPolicy.rules[0].succeededIndexes",
      ],
      [
        "success count >",
        {
          completionMode: "Indexed",
          completions: 5,
          successPolicy: { rules: [{ succeededCount: 4, succeededIndexes: "0-2" }] },
        },
        "spec.successPolicy.rules[0].succeededCount",
      ],
      [
        "success bad",
        {
          completionMode: "Indexed",
          completions: 5,
          successPolicy: { rules: [{ succeededIndexes: "2-1" }] },
        },
        "spec.successPolicy.rules[0].succeededIndexes",
      ],
      [
        "success empty",
        { completionMode: "Indexed", completions: 5, successPolicy: { rules: [] } },
        "spec.successPolicy.rules",
      ],
      [
        "template name",
        { template: { metadata: { labels: { "a b": "x" } }, spec: tpl().spec } },
        "metadata.labels",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a CronJob",
      source: "kubernetes, pkg/apis/batch/validation/validation_test.go, TestValidateCronJob",
      target: `${batch}/cronjobs`,
      body: (changes) => ({
        spec: {
          schedule: "* * * * ?",
          concurrencyPolicy: "Allow",
          jobTemplate: { spec: { template: tpl() } },
          ...changes,
        },
      }),
    },
    [
      ["ok", {}],
      ["sched @hourly", { schedule: "@hourly" }],
      ["sched @every 1h", { schedule: "@every 1h" }],
      ["sched 0 0 1 jan mon", { schedule: "0 0 1 jan mon" }],
      ["sched */5 * * * *", { schedule: "*/5 * * * *" }],
      ["sched 0 0 * * 7", { schedule: "0 0 * * 7" }, "spec.schedule"],
      ["sched error", { schedule: "error" }, "spec.schedule"],
      ["sched ", { schedule: "" }, "spec.schedule"],
      ["sched * * * * * *", { schedule: "* * * * * *" }, "spec.schedule"],
      ["sched 60 * * * *", { schedule: "60 * * * *" }, "spec.schedule"],
      ["sched @foo", { schedule: "@foo" }, "spec.schedule"],
      ["sched 5/ * * * *", { schedule: "5/ * * * *" }, "spec.schedule"],
      ["sched TZ=America/New_York * * * * *", { schedule: "TZ=America/New_York * * * * *" }, "spec.schedule"],
      ["sched CRON_TZ=UTC 0 * * * *", { schedule: "CRON_TZ=UTC 0 * * * *" }, "spec.schedule"],
      ["tz", { timeZone: "America/New_York" }],
      ["tz empty", { timeZone: "" }, "spec.timeZone"],
      ["tz local", { timeZone: "Local" }, "spec.timeZone"],
      ["tz LOCAL", { timeZone: "LOCAL" }, "spec.timeZone"],
      ["tz bad", { timeZone: "Amerrica/New_York" }, "spec.timeZone"],
      ["tz space", { timeZone: " America/New_York" }, "spec.timeZone"],
      ["tz dots", { timeZone: "../x" }, "spec.timeZone"],
      ["tz case", { timeZone: "america/new_york" }, "spec.timeZone"],
      ["conc bad", { concurrencyPolicy: "Q" }, "spec.concurrencyPolicy"],
      ["deadline neg", { startingDeadlineSeconds: -1 }, "spec.startingDeadlineSeconds"],
      ["hist neg", { successfulJobsHistoryLimit: -1 }, "spec.successfulJobsHistoryLimit"],
      ["name 53", {}, "metadata.name", { name: letters(53) }],
      ["name 52", {}, undefined, { name: letters(52) }],
      [
        "manualSelector",
        { jobTemplate: { spec: { template: tpl(), manualSelector: true } } },
        "spec.jobTemplate.spec.manualSelector",
      ],
      [
        "always",
        { jobTemplate: { spec: { template: tpl({ restartPolicy: "Always" }) } } },
        "spec.jobTemplate.spec.template.spec.restartPolicy",
      ],
    ],
  ),
];
