import { textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { type Scripts, scriptsFor } from "../../streams/find-scripts.ts";

/** What a container, a pod or a node uses. */
export interface UsedResources {
  readonly nanoCores: number;
  /** What it has used since it started. */
  readonly coreNanoSeconds: number;
  readonly memoryBytes: number;
}

/** A time span, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const nothing: UsedResources = { nanoCores: 0, coreNanoSeconds: 0, memoryBytes: 0 };

/** The greatest number of clients, whose type is uint64, that is a double. */
const greatest = 2 ** 64 - 2 ** 11;

/** What scripts say that an object, or a container of it, uses over a time; undefined if none says anything. */
export function scriptedUsage(
  scripts: Pick<Scripts, "all">,
  object: KubeObject,
  container: string | undefined,
  { from, to }: Span,
): UsedResources | undefined {
  const found = scriptsFor(scripts, object, "usage").filter(
    (script) => script.container === undefined || script.container === container,
  );
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const milliseconds = found.map(({ time }, i) => {
    const end = found[i + 1]?.time ?? to;
    return Math.max(0, Math.min(end, to) - Math.max(time, from));
  });
  const used = found.map(({ usage }, i) => amountIn(usage, "cpu") * 1e9 * ((milliseconds[i] ?? 0) / 1000));
  return {
    nanoCores: wholeNumber(amountIn(last.usage, "cpu") * 1e9),
    coreNanoSeconds: wholeNumber(used.reduce((sum, one) => sum + one, 0)),
    memoryBytes: wholeNumber(amountIn(last.usage, "memory")),
  };
}

/** What all of them use together. */
export function sumOfUsage(all: readonly UsedResources[]): UsedResources {
  return all.reduce(
    (sum, one) => ({
      nanoCores: wholeNumber(sum.nanoCores + one.nanoCores),
      coreNanoSeconds: wholeNumber(sum.coreNanoSeconds + one.coreNanoSeconds),
      memoryBytes: wholeNumber(sum.memoryBytes + one.memoryBytes),
    }),
    nothing,
  );
}

/** What a process uses that does nothing. */
export function noUsage(): UsedResources {
  return nothing;
}

function amountIn(amounts: Parameters<typeof textAt>[0], name: string): number {
  const text = textAt(amounts, name);
  return text === "" ? 0 : parseQuantity(text).asApproximateFloat();
}

function wholeNumber(value: number): number {
  return Math.min(Math.round(value), greatest);
}
