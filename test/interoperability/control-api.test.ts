import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { runProgram } from "../fresh-project/programs.ts";

const programs = resolve("test/interoperability/programs");

/** How each language runs its program. */
const languages: readonly (readonly [command: string, args: readonly string[], probe: readonly string[]])[] =
  [
    ["curl", ["sh", join(programs, "control.sh")], ["curl", "--version"]],
    ["python3", ["python3", join(programs, "control.py")], ["python3", "--version"]],
    ["go", ["go", "run", join(programs, "control.go")], ["go", "version"]],
  ];

const outcome = `create: 201
inject: 201
check of an unused fault: 409
update: 409
hits: 1
fault in the log: conflict
check: 204
remove: 204
misspelt: 400 true
advance: 200
compact: 204
old list: 410
restore: 204
restored: 200
fork: 201
after a delete in the fork: 200
close: 204
reset: 204
after the reset: 404
another token: 401
`;

function isMissing(command: string, [program = "", ...args]: readonly string[]): boolean {
  const { status } = spawnSync(program, args);
  if (status !== 0) console.log(`skipped: there is no ${command} on PATH`);
  return status !== 0;
}

describe("programs drive the control API", { timeout: 240_000 }, () => {
  let directory: string;
  let cluster: Cluster;
  let serving: Serving;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "kubedouble-control-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    cluster = createCluster();
    serving = await serve(cluster);
    writeFileSync(join(directory, "ca.crt"), serving.caCertificate);
  });
  afterEach(async () => {
    await serving.close();
    await cluster.close();
  });

  for (const [name, [program = "", ...args], probe] of languages) {
    test.skipIf(isMissing(name, probe))(name, async () => {
      const environment = {
        KUBEDOUBLE_URL: serving.url,
        KUBEDOUBLE_TOKEN: cluster.adminToken(),
        KUBEDOUBLE_CA_FILE: join(directory, "ca.crt"),
        // The program uses only Go's own packages.
        GO111MODULE: "off",
        GOFLAGS: "",
        // Without a C compiler as well.
        CGO_ENABLED: "0",
      };
      const { status, output } = await runProgram(program, args, { cwd: directory, environment });
      expect({ status, output }).toEqual({ status: 0, output: outcome });
    });
  }
});
