import type { JsonObject } from "../src/apimachinery/json.ts";
import { type Benchmark, cpuRatio } from "./benchmark.ts";
import { InProcess } from "./in-process.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const variables: readonly JsonObject[] = Array.from({ length: 5_000 }, (_, index) => ({
  name: `VARIABLE_${String(index).padStart(4, "0")}`,
  value: `${index}: ${"v".repeat(160)}`,
}));
const oneLess = variables.toSpliced(2_500, 1);

/** A Deployment of 1 MB that consists almost entirely of a list of keyed items. */
function deployment(env: readonly JsonObject[]): JsonObject {
  const template = {
    metadata: { labels: { app: "shop" } },
    spec: { containers: [{ name: "shop", image: "shop:1", env }] },
  };
  const spec = { selector: { matchLabels: { app: "shop" } }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "shop" }, spec };
}

/** Two more or fewer digits do not matter, but every apply must change something. */
let serial = 100_000;

export const benchmarks: readonly Benchmark[] = [
  applied("apply of 1 MB with 5,000 keyed items, in process", () =>
    variables.with(2_500, { name: "VARIABLE_2500", value: String(++serial) }),
  ),
  applied("the same, alternately without and with one item", () =>
    ++serial % 2 === 0 ? variables : oneLess,
  ),
];

function applied(what: string, next: () => readonly JsonObject[]): Benchmark {
  return {
    what,
    reference: "JSON.parse + JSON.stringify of the same object",
    atMost: 20,
    unit: "x",
    measure: async () => {
      const inProcess = await InProcess.ready();
      const apply = () => {
        const body = new TextEncoder().encode(JSON.stringify(deployment(next())));
        const target = `${deployments}/shop?fieldManager=bench`;
        return inProcess.ask("PATCH", target, body, "application/apply-patch+yaml");
      };
      await apply();
      const text = await inProcess.read(`${deployments}/shop`);
      return cpuRatio(() => JSON.stringify(JSON.parse(text)), apply);
    },
  };
}
