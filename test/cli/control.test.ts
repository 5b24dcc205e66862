import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, type Ended, run, type Serving, serving, start } from "./command.ts";

const node = process.execPath;
const listConfigMaps = "/api/v1/namespaces/default/configmaps";

/** A server with two scenarios for one test, and the commands that control it. `await using` ends it. */
async function controlled() {
  const server: Serving = await serving(
    "--scenario=throttle:resource=configmaps,verb=list",
    "--scenario",
    "latency:milliseconds=1",
  );
  const command = (...args: string[]): Promise<Ended> =>
    start(args, { env: { KUBECONFIG: server.kubeconfig } }).ended;
  const output = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await command(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  };
  const refusal = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await command(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    return stderr;
  };
  const list = async () => (await ask(server.kubeconfig, listConfigMaps)).status;
  const end = async () => {
    server.child.kill();
    await server.ended;
  };
  return { output, refusal, list, [Symbol.asyncDispose]: end };
}

describe("commands control the server of a kubeconfig", () => {
  test("serve injects its scenarios, and the commands inject, list and remove more", async () => {
    await using server = await controlled();
    expect(await server.output("inject", "conflict:resource=deployments,times=2", "watchGone")).toBe(
      "fault-3\nfault-4\n",
    );
    expect(await server.output("faults", "remove", "fault-4")).toBe("");
    expect([await server.list(), await server.list()]).toEqual([429, 200]);
    expect(await server.output("faults")).toBe(
      [
        "ID        SCENARIO   HITS   STATE      SCOPE",
        "fault-1   throttle   1/1    over       verb=list,resource=configmaps",
        "fault-2   latency    1/1    over",
        "fault-3   conflict   0/2    in force   verb=update|patch,resource=deployments",
        "",
      ].join("\n"),
    );
  });

  test("requests shows the log, by scope", async () => {
    await using server = await controlled();
    expect([await server.list(), await server.list()]).toEqual([429, 200]);
    const log = await server.output("requests", "--resource=configmaps", "--verb", "list");
    const lines = log.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^\S+Z |\d+ms/g, ""))).toEqual([
      `429 GET ${listConfigMaps} user=kubernetes-admin  fault=throttle`,
      `200 GET ${listConfigMaps} user=kubernetes-admin  fault=latency`,
    ]);
    expect(JSON.parse(await server.output("requests", "--user=alice", "-o", "json"))).toEqual({
      requests: [],
    });
    expect(await server.output("requests", "clear")).toBe("");
    expect(await server.output("requests")).toBe("");
  });

  test("faults --check fails if a fault was never used", async () => {
    await using server = await controlled();
    expect(await server.refusal("faults", "--check")).toContain("The fault throttle was never used");
    expect(await server.output("faults", "--check")).toBe("");
  });
});

describe("commands control the server of a kubeconfig, which other tests share", () => {
  let server: Awaited<ReturnType<typeof controlled>>;
  beforeAll(async () => {
    server = await controlled();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("clock shows and advances the time", async () => {
    const before = Date.parse((await server.output("clock")).trim());
    const after = Date.parse((await server.output("clock", "advance", "1h")).trim());
    expect(after - before).toBeGreaterThanOrEqual(3_600_000);
  });

  test("upgrade and downgrade change the release", async () => {
    await using server = await controlled();
    expect(await server.output("upgrade", "1.33")).toBe("1.33\n");
    const change = JSON.parse(await server.output("downgrade", "1.31", "--minors=each", "--output=json"));
    expect(change).toMatchObject({ from: "1.33", release: "1.31", unreadable: [] });
    // What 1.33 has created for its Services is in a version that 1.31 does not have.
    expect(
      change.unserved.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`),
    ).toEqual(["IPAddress 10.96.0.1", "ServiceCIDR kubernetes"]);
    expect(await server.refusal("upgrade", "1.33")).toContain(
      "Error: upgrade: kube-apiserver goes from 1.31 to 1.33 through 1.32;",
    );
    expect(await server.refusal("upgrade")).toContain("Error: upgrade needs one release");
  });

  test("reset ends faults", async () => {
    await server.output("inject", "throttle:times=Infinity");
    expect(await server.output("reset")).toBe("");
    expect(await server.list()).toBe(200);
  });

  test.each([
    [["inject", "conflct"], 'there is no failure "conflct"; did you mean conflict?'],
    [["inject"], "inject needs a scenario"],
    [["faults", "delete", "fault-1"], 'unknown argument "delete" for "kubedouble faults"; known: remove'],
    [["faults", "remove", "fault-99"], 'there is no fault "fault-99"'],
    [["requests", "--ressource=pods"], "unknown flag: --ressource; did you mean --resource?"],
    [["clock", "advance", "soon"], 'time: invalid duration "soon"'],
    [["reset", "--output=yaml"], '--output "yaml" is not "text" or "json"'],
    [["reset", "--kubeconfig=/no/such/file"], "no such file"],
  ])("%s is an error", async (args, message) => {
    expect(await server.refusal(...args)).toContain(message);
  });
});

test("exec passes the URL, the token and the authority to the command", async () => {
  const script = `const { KUBEDOUBLE_URL, KUBEDOUBLE_TOKEN, KUBEDOUBLE_CA_FILE } = process.env;
    require("node:https").get(KUBEDOUBLE_URL + "/kubedouble/v1/faults", {
      ca: require("node:fs").readFileSync(KUBEDOUBLE_CA_FILE),
      headers: { authorization: "Bearer " + KUBEDOUBLE_TOKEN },
    }, (response) => response.pipe(process.stdout));`;
  const { status, stdout, stderr } = await run("exec", "--scenario=conflict", "--", node, "-e", script);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ faults: [{ id: "fault-1", scenario: "conflict" }] });
});

test("commands inside exec control its server", async () => {
  const cli = new URL("../../dist/cli.js", import.meta.url).pathname;
  const { status, stdout } = await run("exec", "--", node, cli, "inject", "conflict");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "fault-1\n" });
});

test("--control=false leaves the control API out", async () => {
  const server = await serving("--control=false");
  const { status, stderr } = await start(["faults"], { env: { KUBECONFIG: server.kubeconfig } }).ended;
  server.child.kill();
  await server.ended;
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `Error: ${server.url} has no control API for this token\n`,
  });
});

test("a scenario that does not exist is an error of the command line", async () => {
  const { status, stderr } = await run("serve", "--scenario=conflct:times=2");
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'Error: --scenario: there is no failure "conflct"; did you mean conflict?\n' +
      "See 'kubedouble serve --help' for usage.\n",
  });
});

test("without a server, the commands say how to name one", async () => {
  const { status, stderr } = await start(["faults"], { env: { KUBECONFIG: "", KUBEDOUBLE_URL: "" } }).ended;
  expect(status).toBe(1);
  expect(stderr).toContain("Error: which server? Run the command inside kubedouble exec");
});
