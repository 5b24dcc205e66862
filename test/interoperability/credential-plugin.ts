import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { ExecPlugin } from "../../src/transports/contract/exec-plugin.ts";
import { compile } from "../../tools/run.mjs";

/** The plugin with arguments of `kubedouble credential`. */
export type CredentialPlugin = (...args: readonly string[]) => ExecPlugin;

/** Bundles `kubedouble credential` for the tests of a file. The tests need no build. */
export async function credentialPlugin(): Promise<CredentialPlugin> {
  const url = await compile("src/cli/credential-command.ts");
  afterAll(() => rmSync(fileURLToPath(url), { force: true }));
  const program = [
    `import { credentialCommand } from ${JSON.stringify(url)};`,
    "const end = (status) => process.exit(status);",
    "const fail = ({ message }) => { console.error(message); process.exit(1); };",
    "credentialCommand(process.argv.slice(1)).then(end, fail);",
  ].join(" ");
  return (...args) => ({
    command: process.execPath,
    args: ["--input-type=module", "--eval", program, "--", ...args],
  });
}
