import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { compile as compileRule } from "../src/cel/compilation.ts";
import { compileExpression } from "../src/cel/evaluate.ts";
import { kubernetesEnvironment } from "../src/cel/kubernetes-environment.ts";
import { schemaType } from "../src/cel/schema/schema-type.ts";
import { type Benchmark, cpuRatio, milliseconds } from "./benchmark.ts";

const rule = "self.replicas <= self.maxReplicas && self.items.all(x, x.name.startsWith('a'))";

const schema = {
  type: "object",
  properties: {
    replicas: { type: "integer" },
    maxReplicas: { type: "integer" },
    items: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
  },
};

const self = {
  replicas: 3,
  maxReplicas: 5,
  items: Array.from({ length: 100 }, (_, i) => ({ name: `a${i}` })),
};

export const benchmarks: readonly Benchmark[] = [
  {
    what: "evaluating a rule of a custom resource on 100 items",
    reference: "the same test in JavaScript",
    atMost: 15,
    unit: "x",
    measure: () => {
      const expression = compileExpression(rule, { schema });
      const variables = { self };
      return cpuRatio(
        () => self.replicas <= self.maxReplicas && self.items.every((x) => x.name.startsWith("a")),
        () => expression.evaluate(variables),
      );
    },
  },
  {
    what: "compiling the same rule",
    reference: "",
    atMost: 0.06,
    unit: "ms",
    measure: async () => {
      const self = schemaType(schema, "self", "root");
      if (self === undefined) throw new Error("the schema declares no type");
      const options = { release: "1.32", expressions: "new" } as const;
      const environment = kubernetesEnvironment({ ...options, variables: [["self", self.type]] });
      const compile = () => compileRule(rule, environment);
      for (let i = 0; i < 3000; i++) compile();
      const many = await milliseconds(() => {
        for (let i = 0; i < 200; i++) compile();
      });
      return many / 200;
    },
  },
  {
    what: "compressed size of the entry kubedouble/cel without RE2",
    reference: "",
    atMost: 60,
    unit: "kB",
    measure: async () => (await compressedSize()) / 1000,
  },
];

/** gzip of the entry as a page would bundle it, without the package of regular expressions. */
async function compressedSize(): Promise<number> {
  const bundle = await rolldown({ input: "dist/cel.js", platform: "browser", external: ["re2js"] });
  const { output } = await bundle.generate({ format: "es", minify: true, codeSplitting: false });
  await bundle.close();
  return output.reduce(
    (total, part) => total + (part.type === "chunk" ? gzipSync(part.code, { level: 9 }).length : 0),
    0,
  );
}
