import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Release, sinceOf } from "../../../src/apimachinery/release.ts";
import { QuietServer } from "../quiet-server.ts";
import { attributeStatements } from "./attributes.ts";
import { jsonPatchStatements } from "./json-patches.ts";
import { accessStatements } from "./kinds/access.ts";
import { autoscalingStatements } from "./kinds/autoscaling.ts";
import { containersStatements } from "./kinds/containers.ts";
import { coreObjectsStatements } from "./kinds/core-objects.ts";
import { jobsStatements } from "./kinds/jobs.ts";
import { networkingStatements } from "./kinds/networking.ts";
import { objectUpdateStatements } from "./kinds/object-updates.ts";
import { podSchedulingStatements } from "./kinds/pod-scheduling.ts";
import { podVolumesStatements } from "./kinds/pod-volumes.ts";
import { podsStatements } from "./kinds/pods.ts";
import { resourceClaimStatements } from "./kinds/resource-claims.ts";
import { servicesStatements } from "./kinds/services.ts";
import { storageStatements } from "./kinds/storage.ts";
import { storageUpdateStatements } from "./kinds/storage-updates.ts";
import { volumesStatements } from "./kinds/volumes.ts";
import { webhooksStatements } from "./kinds/webhooks.ts";
import { workloadUpdateStatements } from "./kinds/workload-updates.ts";
import { workloadsStatements } from "./kinds/workloads.ts";
import { metadataStatements } from "./metadata.ts";
import { nameStatements } from "./names.ts";
import { patchStatements } from "./patches.ts";
import { podDefaultStatements } from "./pod-defaults.ts";
import { podSpecStatements } from "./pod-specs.ts";
import { quantityStatements } from "./quantities.ts";
import { heldIn, unmatched } from "./releases.ts";
import { requestStatements } from "./requests.ts";
import { ruleStatements } from "./rules.ts";
import { labeled, selectorStatements } from "./selectors.ts";
import { configMaps, type Statement, send } from "./statement.ts";
import { storedObjectStatements } from "./stored-objects.ts";
import { writeStatements } from "./writes.ts";

const groups: readonly (readonly [title: string, statements: readonly Statement[]])[] = [
  ["quantities", quantityStatements],
  ["selectors", selectorStatements],
  ["names, labels and keys", nameStatements],
  ["attributes of requests", attributeStatements],
  ["options and formats", requestStatements],
  ["metadata", metadataStatements],
  ["JSON patches", jsonPatchStatements],
  ["other patches", patchStatements],
  ["deletes, routes and kinds", writeStatements],
  ["objects in the store", storedObjectStatements],
  ["rules of the reference", ruleStatements],
  ["defaults of pods", podDefaultStatements],
  ["pod specs", podSpecStatements],
  ["services and their endpoints", servicesStatements],
  ["volumes and claims", volumesStatements],
  ["storage", storageStatements],
  ["networks", networkingStatements],
  ["autoscalers and budgets", autoscalingStatements],
  ["jobs", jobsStatements],
  ["workloads", workloadsStatements],
  ["webhooks", webhooksStatements],
  ["pods", podsStatements],
  ["scheduling", podSchedulingStatements],
  ["containers", containersStatements],
  ["volumes of pods", podVolumesStatements],
  ["flow control, roles and leases", accessStatements],
  ["other objects of the core", coreObjectsStatements],
  ["resource claims", resourceClaimStatements],
  ["updates of workloads", workloadUpdateStatements],
  ["updates of storage", storageUpdateStatements],
  ["updates of other objects", objectUpdateStatements],
];
const all = groups.flatMap(([, statements]) => statements);

/** The release of the reference, and releases before and after it, each with its share of the other statements. */
const runs: readonly (readonly [
  release: Release,
  chosen: (index: number, statement: Statement) => boolean,
])[] = [
  ["1.32", () => true],
  ["1.20", (index) => index % 8 === 0],
  ["1.25", (index) => index % 8 === 1],
  ["1.29", (index) => index % 8 === 2],
  ["1.36", (index, { since = "1.32" }) => index % 8 === 3 || !sinceOf("1.32")(since)],
];

test("every limit of a statement to some releases has its statement", () => {
  expect(unmatched(all)).toEqual([]);
});

describe.each(runs)(
  `of ${all.length} statements of the reference and of upstream's tests hold in %s those`,
  (release, chosen) => {
    let server: QuietServer;
    // Statements that write do so in namespaces of their own.
    beforeAll(async () => {
      server = new QuietServer({ release, authorizationMode: "RBAC" });
      for (const namespace of ["default", "updates", "limits"]) {
        if (namespace !== "default")
          await server.ask(send("POST", "/api/v1/namespaces", { metadata: { name: namespace } }));
        const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
        await server.ask(send("POST", accounts, { metadata: { name: "default" } }));
      }
      for (const [name, labels] of Object.entries(labeled)) {
        await server.ask(send("POST", configMaps, { metadata: { name, labels } }));
      }
    });
    afterAll(() => server.cluster.close());

    async function ask({ request, as }: Pick<Statement, "request" | "as">) {
      const authorization = as === undefined ? {} : { authorization: `Bearer ${server.cluster.token(as)}` };
      return server.ask({ ...request, headers: { ...request.headers, ...authorization } });
    }

    const held = groups
      .map(
        ([title, statements]) =>
          [
            title,
            heldIn(
              release,
              statements.filter((one, i) => chosen(i, one)),
            ),
          ] as const,
      )
      .filter(([, statements]) => statements.length > 0);
    describe.each(held)("about %s", (_title, statements) => {
      test.each(statements)("$says", async ({ request, as, after = [], code, answer }) => {
        for (const earlier of after) expect((await server.ask(earlier)).status).toBeLessThan(300);
        const { status, text } = await ask({ request, ...(as !== undefined && { as }) });
        expect({ status, text }).toMatchObject({ status: code });
        if (answer !== undefined) expectAnswer(answer, status, text);
      });
    });
  },
);

function expectAnswer(answer: NonNullable<Statement["answer"]>, status: number, text: string): void {
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
  if (answer instanceof RegExp && status < 300) expect(text).toMatch(answer);
  else if (typeof answer === "string" || answer instanceof RegExp) {
    const message = body === undefined ? text : (body as { readonly message?: string }).message;
    if (typeof answer === "string") expect(message).toBe(answer);
    else expect(message).toMatch(answer);
  } else expect(body).toMatchObject(answer);
}
