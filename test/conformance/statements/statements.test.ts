import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QuietServer } from "../quiet-server.ts";
import { attributeStatements } from "./attributes.ts";
import { jsonPatchStatements } from "./json-patches.ts";
import { metadataStatements } from "./metadata.ts";
import { nameStatements } from "./names.ts";
import { patchStatements } from "./patches.ts";
import { podDefaultStatements } from "./pod-defaults.ts";
import { podSpecStatements } from "./pod-specs.ts";
import { quantityStatements } from "./quantities.ts";
import { requestStatements } from "./requests.ts";
import { labeled, selectorStatements } from "./selectors.ts";
import { configMaps, type Statement, send } from "./statement.ts";
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
  ["defaults of pods", podDefaultStatements],
  ["pod specs", podSpecStatements],
];
const total = groups.reduce((sum, [, { length }]) => sum + length, 0);

/** Of release 1.32, as the reference. Statements that write do so in namespaces of their own. */
const server = new QuietServer({ release: "1.32", authorizationMode: "RBAC" });

beforeAll(async () => {
  for (const [name, labels] of Object.entries(labeled)) {
    await server.ask(send("POST", configMaps, { metadata: { name, labels } }));
  }
});

afterAll(() => server.cluster.close());

async function ask({ request, as }: Pick<Statement, "request" | "as">) {
  const authorization = as === undefined ? {} : { authorization: `Bearer ${server.cluster.token(as)}` };
  return server.ask({ ...request, headers: { ...request.headers, ...authorization } });
}

describe(`${total} statements of the reference and of upstream's tests hold`, () => {
  describe.each(groups)("about %s", (_title, statements) => {
    test.each(statements)("$says", async ({ request, as, after = [], code, answer }) => {
      for (const earlier of after) expect((await server.ask(earlier)).status).toBeLessThan(300);
      const { status, text } = await ask({ request, ...(as !== undefined && { as }) });
      expect({ status, text }).toMatchObject({ status: code });
      const body: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
      if (answer === undefined) return;
      if (answer instanceof RegExp && status < 300) expect(text).toMatch(answer);
      else if (typeof answer === "string" || answer instanceof RegExp) {
        const message = body === undefined ? text : (body as { readonly message?: string }).message;
        if (typeof answer === "string") expect(message).toBe(answer);
        else expect(message).toMatch(answer);
      } else expect(body).toMatchObject(answer);
    });
  });
});
