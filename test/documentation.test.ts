import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { flagsHelp } from "../src/cli/help.ts";

const api = readFileSync("api/index.d.ts", "utf8");

/** The members of an interface or class of the public API. */
function membersOf(declaration: string): readonly string[] {
  const [, body = ""] =
    new RegExp(`^(?:interface|class) ${declaration}(?: extends [\\w, ]+)? \\{\\n([\\s\\S]*?)^\\}`, "m").exec(
      api,
    ) ?? [];
  const names = [...body.matchAll(/^ {4}(?:readonly |get )?(\w+)[?(:]/gm)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => name !== "constructor");
}

/** The names that a page does not mention in code. */
function missingIn(page: string, names: readonly string[]): readonly string[] {
  const code = [...readFileSync(page, "utf8").matchAll(/`[^`\n]+`/g)].map(([text]) => text).join(" ");
  return names.filter((name) => !new RegExp(`(?<![\\w-])${name}\\b`).test(code));
}

test("the page about the cluster has every option", () => {
  const options = [
    "ClusterOptions",
    "AuthenticationOptions",
    "OpenIdConnectOptions",
    "AuthorizationOptions",
  ].flatMap(membersOf);
  expect(options).toContain("release");
  expect(missingIn("docs/cluster.md", options)).toEqual([]);
});

test("the page about the cluster has every method", () => {
  const methods = membersOf("Cluster");
  expect(methods).toContain("fetch");
  expect(missingIn("docs/cluster.md", methods)).toEqual([]);
});

test("the page about the command line has every flag", () => {
  const flags = [...flagsHelp.matchAll(/^ {2}.{4}(--[\w-]+)/gm)].map(([, flag = ""]) => flag);
  expect(flags).toContain("--port");
  expect(missingIn("docs/command-line.md", flags)).toEqual([]);
});
