import { type Benchmark, cpuRatio } from "./benchmark.ts";
import { InProcess, pods } from "./in-process.ts";
import { pod } from "./pod.ts";

const encoder = new TextEncoder();
const bytesOf = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));
const reference = "JSON.parse + JSON.stringify of the same object";
const named = "shop-backend-5d69f6c8b4-000000";

/** An existing pod, and what a client that has read it would send. */
async function existing(): Promise<{ inProcess: InProcess; text: string }> {
  const inProcess = await InProcess.ready();
  await inProcess.fill(1);
  return { inProcess, text: await inProcess.read(`${pods}/${named}`) };
}

/** Two more or fewer digits do not matter, but every write must change something. */
let serial = 100_000;

export const benchmarks: readonly Benchmark[] = [
  created("create, in process", (sent) => sent.replace("000000", String(++serial))),
  created("create, in process, each pod different from the previous one", (sent) =>
    sent
      .replace("000000", String(++serial))
      .replace("1.42.0", `1.42.${serial}`)
      .replace("info", `level-${serial}`),
  ),
  {
    what: "update, in process",
    reference,
    atMost: 10,
    unit: "x",
    measure: async () => {
      const { inProcess, text } = await existing();
      const { resourceVersion: _, ...metadata } = JSON.parse(text).metadata;
      const sent = JSON.stringify({ ...JSON.parse(text), metadata }).replace("0b4f7f1c", "000000");
      return cpuRatio(
        () => JSON.stringify(JSON.parse(text)),
        () =>
          inProcess.ask("PUT", `${pods}/${named}`, encoder.encode(sent.replace('"000000"', `"${++serial}"`))),
      );
    },
  },
  patched("merge patch, in process", "application/merge-patch+json", 12, () => ({
    metadata: { annotations: { "example.com/config-checksum": String(++serial) } },
  })),
  patched("apply, in process", "application/apply-patch+yaml", 20, () => {
    const applied = pod(named);
    const annotations = { "example.com/config-checksum": String(++serial) };
    return { ...applied, metadata: { name: named, annotations } };
  }),
];

function created(what: string, another: (sent: string) => string): Benchmark {
  return {
    what,
    reference,
    atMost: 8,
    unit: "x",
    measure: async () => {
      const { inProcess, text } = await existing();
      const sent = JSON.stringify(pod(named));
      const stored = JSON.parse(text);
      return cpuRatio(
        () => [JSON.parse(sent), JSON.stringify(stored)],
        () => inProcess.ask("POST", pods, encoder.encode(another(sent))),
      );
    },
  };
}

function patched(what: string, contentType: string, atMost: number, next: () => unknown): Benchmark {
  const target = `${pods}/${named}?fieldManager=bench&force=true`.replace(
    contentType.includes("apply") ? "" : "&force=true",
    "",
  );
  return {
    what,
    reference,
    atMost,
    unit: "x",
    measure: async () => {
      const { inProcess, text } = await existing();
      return cpuRatio(
        () => JSON.stringify(JSON.parse(text)),
        () => inProcess.ask("PATCH", target, bytesOf(next()), contentType),
      );
    },
  };
}
