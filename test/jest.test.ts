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

/** The result of a Jest run: the failure of each test by its full name, or an empty text, and the whole output. */
interface JestRun {
  /** The folder in which it ran. */
  readonly project: string;
  readonly tests: readonly (readonly [name: string, failure: string])[];
  readonly output: string;
}

const environments = ["jest-environment-node", "jest-environment-jsdom", "jest-fixed-jsdom"];

/** Runs Jest in a project of `test/jest`, in which the package is installed, in this environment or that of its configuration. */
async function runJest(name: string, environment?: string): Promise<JestRun> {
  const packages = ["jest", "babel-jest", "msw", ...environments];
  const folder = [name, environment ?? "configured"].join("-").replaceAll("/", "-");
  const project = projects.create(folder, packages, { msw: "msw-2" });
  const options = environment === undefined ? [] : [`--env=${environment}`];
  cpSync(`test/jest/${name}`, project, { recursive: true });
  const jest = join(project, "node_modules/jest/bin/jest.js");
  const env = { ...process.env, CI: "true" };
  const [stdout, stderr] = await new Promise<[string, string]>((resolve) => {
    execFile(process.execPath, [jest, "--json", ...options], { cwd: project, env }, (_error, ...output) =>
      resolve(output),
    );
  });
  const report: JestReport = stdout.startsWith("{") ? JSON.parse(stdout) : { testResults: [] };
  const tests = report.testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0
      ? [["a file that fails to run", message] as const]
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
  ["can reset modules between the creation of a cluster and its first request", "reset-modules", 8],
  ["gives each test a cluster with a line in the file", "clusters", 10],
  ["gives each test a cluster with the environment", "environment", 4],
  ["can fake timers from the beginning", "fake-timers", 6],
  ["loads MSW 2 with the preset", "msw-2", 1],
  ["gives each test a cluster with the environment for jsdom", "jsdom-environment", 4],
])("Jest %s", async (_title, name, count) => {
  const { tests, output } = await runJest(name);
  expect(tests.filter(([, failure]) => failure !== "")).toEqual([]);
  expect({ count: tests.length, output }).toMatchObject({ count });
});

test.each(["kubedouble/jest/environment-jsdom", "jest-fixed-jsdom"])(
  "Jest tests pages in %s",
  async (environment) => {
    const { tests, output } = await runJest("jsdom", environment);
    expect(tests.filter(([, failure]) => failure !== "")).toEqual([]);
    expect({ count: tests.length, output }).toMatchObject({ count: 7 });
  },
);

describe("in Jest, a test fails for unused faults and unserved requests", () => {
  test("with hints to copy", async () => {
    const { tests } = await runJest("left-behind");
    const unused = expect.stringContaining(
      'throttle({ verb: "list", resource: "nodes" }) would have matched it',
    );
    const unserved = expect.stringContaining('To use it: createCluster({ release: "1.24" })');
    const expected = [
      ["an unused fault", unused],
      ["an unserved path", unserved],
      ["an allowed path", ""],
    ];
    // One test file uses the hooks, one the environment.
    expect([...tests].sort()).toEqual([...expected, ...expected].sort());
  });
});

test("Jest workers share a server if the global setup starts one, and it ends with them", async () => {
  const { tests, project } = await runJest("shared-server");
  expect(tests).toEqual(Array(2).fill(["every worker finds the shared server of the run", ""]));
  const [one, other] = ["one", "other"].map((worker) => readFileSync(join(project, `${worker}.uid`), "utf8"));
  expect(one).toMatch(/^[0-9a-f-]{36}$/);
  expect(other).toBe(one);
});
