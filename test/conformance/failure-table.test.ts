import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as lives from "../../src/scenario/pod-lives.ts";
import * as presets from "../../src/scenario/presets.ts";
import { failurePage } from "./failure-page.ts";
import { failures } from "./failure-table.ts";

test("every failure that a test can inject is in the table", () => {
  // This function injects `disconnected`; the lives of pods are no failures of requests.
  const others = new Set(["whileDisconnected", ...Object.keys(lives)]);
  const makers = Object.keys(presets).filter((name) => !others.has(name));
  expect(Object.keys(failures).sort()).toEqual(makers.sort());
});

test("the page contains the table as tested", async () => {
  // Out of date? npx vitest run test/conformance/failure-table.test.ts --update
  await expect(failurePage()).toMatchFileSnapshot("../../docs/failures.md");
});

test("every failure has a runnable example", () => {
  const examples = readFileSync("docs/failure-examples.md", "utf8");
  const shown = [...examples.matchAll(/^### (\w+)$[\s\S]*?^(?:simulatedT|t)est\("\1"/gm)].map(
    ([, name]) => name,
  );
  expect(shown.sort()).toEqual(Object.keys(failures).sort());
});

const sources = readdirSync("src/scenario")
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(`src/scenario/${file}`, "utf8"))
  .join("\n");

test.each(Object.entries(failures))(
  "the comment on %s says on which transports it is faithful",
  (name, failure) => {
    const [, comment = ""] =
      new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport function ${name}\\b`).exec(sources) ?? [];
    const text = comment.replace(/\s*\n \* ?/g, " ");
    expect(text).toContain(failure.faithful ?? "Faithful on every transport.");
  },
);
