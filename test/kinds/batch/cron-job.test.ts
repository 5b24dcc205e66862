import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import type { Findings } from "../../../src/apimachinery/validation/findings.ts";
import { catalogOf } from "../../../src/catalog/catalog.ts";
import { featureGates } from "../../../src/catalog/feature-gates.ts";
import { cronJobStrategy } from "../../../src/kinds/batch/cron-job/cron-job-strategy.ts";
import { addCronJobErrors } from "../../../src/kinds/batch/cron-job/cron-job-validation.ts";
import { defaultStrategy } from "../../../src/registry/contract/default-strategy.ts";
import { builtInKindSchema } from "../../../src/schema/built-in-schema.ts";
import { fieldErrorLines } from "../../field-errors.ts";
import { defaulted } from "../../registry/defaulted.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";
import { nameAdvice, podTemplate } from "../../registry/workloads.ts";

const path = "/apis/batch/v1/namespaces/default/cronjobs";

function cronJob(name: string, spec: object = {}, job: object = {}): object {
  const template = podTemplate({ restartPolicy: "Never" });
  return {
    metadata: { name },
    spec: { schedule: "0 * * * *", jobTemplate: { spec: { template, ...job } }, ...spec },
  };
}

describe("a CronJob is refused for", () => {
  test.each<[title: string, body: object, findings: readonly string[]]>([
    [
      "an empty spec",
      { metadata: { name: "c" }, spec: {} },
      [
        "spec.schedule: Required value",
        "spec.jobTemplate.spec.template.spec.containers: Required value",
        'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
    ],
    [
      "a time zone in the schedule",
      cronJob("c", { schedule: "TZ=UTC 0 * * * *" }),
      [
        'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      "all that can be wrong with it",
      cronJob("c", {
        schedule: "nope",
        startingDeadlineSeconds: -1,
        timeZone: "Nope/Zone",
        concurrencyPolicy: "Q",
        successfulJobsHistoryLimit: -1,
        failedJobsHistoryLimit: -1,
      }),
      [
        'spec.schedule: Invalid value: "nope": expected exactly 5 fields, found 1: [nope]',
        "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
        'spec.timeZone: Invalid value: "Nope/Zone": unknown time zone Nope/Zone',
        'spec.concurrencyPolicy: Unsupported value: "Q": supported values: "Allow", "Forbid", "Replace"',
        "spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
        "spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
    [
      "a selector, because its Jobs generate one",
      cronJob("c", {}, { selector: { matchLabels: { a: "b" } }, manualSelector: true }),
      [
        'spec.jobTemplate.spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: `selector` will be auto-generated',
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
      ],
    ],
    [
      "invalid Jobs",
      cronJob("c", {}, { parallelism: -1, completionMode: "Q" }),
      [
        "spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
        'spec.jobTemplate.spec.completionMode: Unsupported value: "Q": supported values: "NonIndexed", "Indexed"',
      ],
    ],
    [
      "a name that is too long for its Jobs, as the last error",
      cronJob("c".repeat(53), { concurrencyPolicy: "Q" }),
      [
        'spec.concurrencyPolicy: Unsupported value: "Q": supported values: "Allow", "Forbid", "Replace"',
        `metadata.name: Invalid value: "${"c".repeat(53)}": must be no more than 52 characters`,
      ],
    ],
  ])("%s", async (_title, body, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, body)).findings).toEqual(findings);
  });
});

test("a CronJob may change its whole spec, which changes the generation", async () => {
  const send = testClient(quietCluster());
  const { warnings } = await send("POST", path, cronJob("c.j"));
  expect(warnings).toEqual([nameAdvice]);
  const changed = await send("PUT", `${path}/c.j`, cronJob("c.j", { schedule: "@daily", timeZone: "UTC" }));
  expect(changed.object).toMatchObject({ metadata: { generation: 2 }, spec: { schedule: "@daily" } });
  expect(changed.warnings).toEqual([]);
});

test("the Jobs of a CronJob keep pod fields that no gate disables", async () => {
  const send = testClient(quietCluster());
  const template = podTemplate({ restartPolicy: "Never", hostUsers: false, hostname: "h" });
  const { object } = await send("POST", path, cronJob("c", {}, { template }));
  const { spec } = object.spec.jobTemplate.spec.template;
  expect(spec.hostname).toBe("h");
  expect(spec).not.toHaveProperty("hostUsers");
});

describe("a time zone in an existing schedule", () => {
  const zoned = "TZ=UTC 0 * * * *";
  const cronJobOf = (spec: JsonObject): KubeObject => {
    const jobTemplate = { spec: { template: podTemplate({ restartPolicy: "Never" }) as JsonObject } };
    const sent = { metadata: { name: "c" }, spec: { schedule: zoned, jobTemplate, ...spec } };
    return defaulted("batch/v1/CronJob", sent) as KubeObject;
  };
  const gates = featureGates("1.32");

  test.each<[title: string, spec: JsonObject, findings: readonly string[]]>([
    ["stays", {}, []],
    [
      "cannot be combined with the field timeZone",
      { timeZone: "UTC" },
      [
        `spec.schedule: Invalid value: "${zoned}": cannot use both timeZone field and TZ or CRON_TZ in schedule`,
      ],
    ],
  ])("%s", (_title, spec, findings) => {
    const errors: Findings = [];
    addCronJobErrors(errors, cronJobOf(spec), gates, cronJobOf({}));
    expect(fieldErrorLines(errors)).toEqual(findings);
  });

  test("causes a warning", () => {
    const traits = {
      hasStatus: true,
      allowCreateOnUpdate: false,
      allowUnconditionalUpdate: true,
      deleteReturnsObject: false,
    };
    const schema = builtInKindSchema(catalogOf({ release: "1.32" }), {
      group: "batch",
      version: "v1",
      kind: "CronJob",
    });
    if (schema === undefined) throw new Error("no CronJob");
    const { warningsOnUpdate } = cronJobStrategy(defaultStrategy(traits), { gates, schema });
    expect(warningsOnUpdate(cronJobOf({}), cronJobOf({}))).toEqual([
      "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
    ]);
  });
});

test.each<[title: string, schedule: string, findings: readonly string[]]>([
  ["no time zone", "", ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string']],
  [
    "the time zone of the server",
    "Local",
    [
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ],
  ],
])("a CronJob is refused for %s", async (_title, timeZone, findings) => {
  const send = testClient(quietCluster());
  expect((await send("POST", path, cronJob("c", { timeZone }))).findings).toEqual(findings);
});

describe("a time zone in a new schedule", () => {
  const schedule = "TZ=UTC 0 * * * *";
  const advice =
    "CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

  test.each(["1.22", "1.28"])("causes a warning in %s", async (release) => {
    const send = testClient(quietCluster({ release }));
    const { code, warnings } = await send("POST", path, cronJob("c", { schedule }));
    expect([code, ...warnings]).toEqual([201, advice]);
    const patched = await send("PATCH", `${path}/c`, { spec: { suspend: true } });
    expect([patched.code, ...patched.warnings]).toEqual([200, advice]);
  });

  test("cannot be combined with the field timeZone", async () => {
    const send = testClient(quietCluster({ release: "1.27" }));
    const { findings } = await send("POST", path, cronJob("c", { schedule, timeZone: "UTC" }));
    expect(findings).toEqual([
      `spec.schedule: Invalid value: "${schedule}": cannot use both timeZone field and TZ or CRON_TZ in schedule`,
    ]);
  });

  test("is too many fields before 1.22", async () => {
    const send = testClient(quietCluster({ release: "1.21" }));
    const { findings } = await send("POST", path, cronJob("c", { schedule }));
    expect(findings).toEqual([
      `spec.schedule: Invalid value: "${schedule}": Expected exactly 5 fields, found 6: ${schedule}`,
    ]);
  });
});
