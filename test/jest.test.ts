import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Projects } from "./installed-package.ts";

let projects: Projects;
beforeAll(() => {
  projects = new Projects();
});
afterAll(() => projects.remove());

/** What came of a run of Jest: of each test by its full name what failed, or nothing; and all that was printed. */
interface JestRun {
  /** Where it ran. */
  readonly project: string;
  readonly tests: readonly (readonly [name: string, failure: string])[];
  readonly output: string;
}

/** Runs Jest in a project of `test/jest`, in which the package is installed. */
async function runJest(name: string): Promise<JestRun> {
  const project = projects.create(name, ["jest", "jest-environment-node"]);
  cpSync(`test/jest/${name}`, project, { recursive: true });
  const jest = join(project, "node_modules/jest/bin/jest.js");
  const env = { ...process.env, CI: "true" };
  const [stdout, stderr] = await new Promise<[string, string]>((resolve) => {
    execFile(process.execPath, [jest, "--json"], { cwd: project, env }, (_error, ...output) =>
      resolve(output),
    );
  });
  const report: JestReport = stdout.startsWith("{") ? JSON.parse(stdout) : { testResults: [] };
  const tests = report.testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0
      ? [["a file that cannot be run", message] as const]
      : assertionResults
          .filter(({ status }) => status !== "pending")
          .map(({ fullName, failureMessages }) => [fullName, failureMessages.join("\n")] as const),
  );
  return { project, tests, output: stdout + stderr };
}

interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

test.each([
  ["may reset its modules between a cluster and its first request", "reset-modules", 8],
  ["gives each test a cluster, by a line in the file", "clusters", 9],
  ["gives each test a cluster, by its environment", "environment", 4],
  ["may fake timers from the beginning", "fake-timers", 5],
])("Jest %s", async (_title, name, count) => {
  const { tests, output } = await runJest(name);
  expect(tests.filter(([, failure]) => failure !== "")).toEqual([]);
  expect({ count: tests.length, output }).toMatchObject({ count });
});

describe("in Jest, what a test should not leave behind fails it", () => {
  test("with hints that can be pasted", async () => {
    const { tests } = await runJest("left-behind");
    const unused = expect.stringContaining(
      'throttle({ verb: "list", resource: "nodes" }) would have struck it',
    );
    const unserved = expect.stringContaining('To have it: createCluster({ release: "1.24" })');
    const expected = [
      ["a fault that never struck", unused],
      ["a path that nothing serves", unserved],
      ["a path that may be asked for", ""],
    ];
    // One file with the hooks, one with the environment.
    expect([...tests].sort()).toEqual([...expected, ...expected].sort());
  });
});

test("workers of Jest share a server if its global setup starts one, and it ends with them", async () => {
  const { tests, project } = await runJest("shared-server");
  expect(tests).toEqual(Array(2).fill(["the one server of the run is found by every worker", ""]));
  const [one, other] = ["one", "other"].map((worker) => readFileSync(join(project, `${worker}.uid`), "utf8"));
  expect(one).toMatch(/^[0-9a-f-]{36}$/);
  expect(other).toBe(one);
});
