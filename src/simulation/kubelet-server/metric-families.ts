import { compareText } from "../../apimachinery/text-order.ts";
import type { StabilityLevel } from "../../endpoints/nonresource/metric-facts.ts";
import { formatValue } from "../../endpoints/nonresource/metric-text.ts";

/** A value by its labels. */
export interface StampedSample {
  readonly labels: { readonly [label: string]: string };
  readonly value: number;
  /** When it was measured, in milliseconds since the epoch; undefined for the time of the request. */
  readonly time?: number | undefined;
}

/** A metric whose values may have times. */
export interface StampedFamily {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  /** Metrics of cAdvisor have none. */
  readonly stability?: StabilityLevel;
  /** The version since which it is deprecated. */
  readonly deprecated?: string;
  readonly samples: readonly StampedSample[];
}

/** Metrics in the text format of Prometheus, sorted by name. A metric without values is left out. */
export function stampedText(families: readonly StampedFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .sort((a, b) => compareText(a.name, b.name))
    .map((family) => {
      const { name, type } = family;
      const lines = family.samples.map((sample) => lineOf(name, sample)).sort(compareText);
      return `# HELP ${name} ${helpOf(family)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function helpOf({ stability, deprecated, help }: StampedFamily): string {
  const warning = deprecated === undefined ? "" : ` (Deprecated since ${deprecated})`;
  return stability === undefined ? help : `[${stability}]${warning} ${help}`;
}

function lineOf(name: string, { labels, value, time }: StampedSample): string {
  const shown = Object.entries(labels)
    .sort(([a], [b]) => compareText(a, b))
    .map(([label, text]) => `${label}="${escaped(text)}"`);
  const place = shown.length === 0 ? name : `${name}{${shown.join(",")}}`;
  return `${place} ${formatValue(value)}${time === undefined ? "" : ` ${time}`}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
