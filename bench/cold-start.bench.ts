import { spawnSync } from "node:child_process";
import { request } from "node:https";
import { type Benchmark, median } from "./benchmark.ts";
import { type ServedProcess, serveInProcess } from "./served-process.ts";

const runs = 9;
const bare = "bare node -e 0";

/** What users pay before the first test, measured on the built package, each in its own process. */
export const benchmarks: readonly Benchmark[] = [
  {
    what: "createCluster() cold, import included, above",
    reference: bare,
    atMost: 30,
    unit: "ms",
    measure: () => aboveBare(async () => timeOf(["--input-type=module", "-e", createCluster])),
  },
  {
    what: "cold kubedouble serve to a response over TLS, above",
    reference: bare,
    atMost: 250,
    unit: "ms",
    measure: () => aboveBare(serveAndAsk),
  },
  {
    what: "kubedouble --version, above",
    reference: bare,
    atMost: 60,
    unit: "ms",
    measure: () => aboveBare(async () => timeOf(["dist/cli.js", "--version"])),
  },
];

const createCluster = `const { createCluster } = await import("./dist/index.js"); createCluster();`;

async function aboveBare(measure: () => Promise<number>): Promise<number> {
  const differences: number[] = [];
  for (let index = 0; index < runs; index++) {
    const base = timeOf(["-e", "0"]);
    differences.push((await measure()) - base);
  }
  return median(differences);
}

function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

async function serveAndAsk(): Promise<number> {
  const start = performance.now();
  const served = await serveInProcess();
  try {
    await get(served);
    return performance.now() - start;
  } finally {
    await served.stop();
  }
}

function get({ url, certificateAuthority, token }: ServedProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const ca = Buffer.from(certificateAuthority, "base64");
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(`${url}/api/v1/namespaces`, { ca, headers }, (response) => {
      response.resume().on("end", resolve);
    });
    sent.on("error", reject).end();
  });
}
