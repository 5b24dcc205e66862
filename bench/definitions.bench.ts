import { createCluster, type JsonObject } from "../src/index.ts";
import { type Benchmark, cpuDifference, cpuRatio, median } from "./benchmark.ts";
import { InProcess } from "./in-process.ts";

const encoder = new TextEncoder();
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/bench.example.com/v1/namespaces/default/widgets";
const configMaps = "/api/v1/namespaces/default/configmaps";

const field: JsonObject = { type: "string", maxLength: 253, description: "The name of what this refers to." };

/** Groups of fields, each group with 20. */
function fields(count: number): JsonObject {
  const group = (index: number): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field${index}x${i}`, field])),
  });
  return Object.fromEntries(Array.from({ length: Math.ceil(count / 20) }, (_, i) => [`group${i}`, group(i)]));
}

/** A definition with this many fields besides those that its instances use. */
function definition(count: number, plural = "widgets"): JsonObject {
  const spec: JsonObject = {
    type: "object",
    properties: {
      ...fields(count),
      values: { type: "object", additionalProperties: { type: "string", maxLength: 1000 } },
    },
  };
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.bench.example.com` },
    spec: {
      group: "bench.example.com",
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

async function withDefinition(count: number): Promise<InProcess> {
  const inProcess = await InProcess.ready();
  await inProcess.cluster.create(definition(count));
  await inProcess.cluster.settle();
  return inProcess;
}

const values = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`setting-${i}`, `value of number ${i}`]),
);

let serial = 0;

const widget = (name: string, change: string): Uint8Array =>
  encoder.encode(
    JSON.stringify({
      apiVersion: "bench.example.com/v1",
      kind: "Widget",
      metadata: { name },
      spec: { values: { ...values, change } },
    }),
  );

const configMap = (name: string, change: string): Uint8Array =>
  encoder.encode(
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { ...values, change } }),
  );

function created(count: number, atMost: number): Benchmark {
  return {
    what: `create of a small custom resource, ${count.toLocaleString("en")} fields`,
    reference: "create of a ConfigMap of the same size",
    atMost,
    unit: "x",
    measure: async () => {
      const inProcess = await withDefinition(count);
      const name = () => `a-${++serial}`;
      return cpuRatio(
        () => inProcess.ask("POST", configMaps, configMap(name(), "none")),
        () => inProcess.ask("POST", widgets, widget(name(), "none")),
      );
    },
  };
}

function updated(count: number, atMost: number): Benchmark {
  return {
    what: `merge patch of a small custom resource, ${count.toLocaleString("en")} fields`,
    reference: "merge patch of a ConfigMap of the same size",
    atMost,
    unit: "x",
    measure: async () => {
      const inProcess = await withDefinition(count);
      await inProcess.ask("POST", configMaps, configMap("a", "none"));
      await inProcess.ask("POST", widgets, widget("a", "none"));
      const patch = (body: JsonObject) => encoder.encode(JSON.stringify(body));
      const type = "application/merge-patch+json";
      return cpuRatio(
        () => inProcess.ask("PATCH", `${configMaps}/a`, patch({ data: { change: `${++serial}` } }), type),
        () =>
          inProcess.ask(
            "PATCH",
            `${widgets}/a`,
            patch({ spec: { values: { change: `${++serial}` } } }),
            type,
          ),
      );
    },
  };
}

/** The first answer of a cluster with these initial objects, settled. */
async function started(objects: readonly JsonObject[]): Promise<InProcess> {
  const inProcess = new InProcess(createCluster({ objects }));
  await inProcess.ask("GET", "/api");
  await inProcess.cluster.settle();
  return inProcess;
}

const many = Array.from({ length: 200 }, (_, i) => definition(20, `kind${i}s`));

export const benchmarks: readonly Benchmark[] = [
  {
    what: "create of a definition of 1 MB",
    reference: "JSON.parse of it",
    atMost: 10,
    unit: "x",
    measure: async () => {
      const inProcess = await InProcess.ready();
      const text = JSON.stringify(definition(10_000));
      const sent = encoder.encode(text);
      return cpuRatio(
        () => JSON.parse(text),
        () => inProcess.ask("POST", `${definitions}?dryRun=All`, sent),
      );
    },
  },
  created(20, 1.5),
  updated(20, 1.5),
  created(4000, 2),
  updated(4000, 2),
  {
    what: "start with 200 definitions, additional CPU",
    reference: "start without",
    atMost: 100,
    unit: "ms",
    measure: () =>
      cpuDifference(
        async () => (await started([])).cluster.close(),
        async () => (await started(many)).cluster.close(),
      ),
  },
  {
    what: "heap of 200 definitions",
    reference: "heap of an empty cluster",
    atMost: 30_000,
    unit: "kB",
    measure: async () => {
      const used = async (objects: readonly JsonObject[]): Promise<number> => {
        globalThis.gc?.();
        const before = process.memoryUsage().heapUsed;
        const inProcess = await started(objects);
        globalThis.gc?.();
        const after = process.memoryUsage().heapUsed;
        await inProcess.cluster.close();
        return (after - before) / 1000;
      };
      await used(many);
      return median([await used(many), await used(many), await used(many)]) - (await used([]));
    },
  },
];
