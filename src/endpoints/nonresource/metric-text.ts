import type { HistogramReading } from "../../apimachinery/histogram.ts";
import type { Summary } from "../../apimachinery/summary.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import type { RegisteredFamily } from "./metric-life.ts";
import { quantilesOf } from "./quantiles.ts";

/** Metrics in the text format of Prometheus, sorted by name. A metric without values is left out. */
export function metricText(families: readonly RegisteredFamily[]): string {
  return [...families]
    .sort((a, b) => compareText(a.family.name, b.family.name))
    .map(formatFamily)
    .join("");
}

function formatFamily({ family, stability, deprecated }: RegisteredFamily): string {
  const { name, type, help } = family;
  const lines = linesOf(family);
  if (lines.length === 0) return "";
  const warning = deprecated === undefined ? "" : ` (Deprecated since ${deprecated}.0)`;
  return `# HELP ${name} [${stability}]${warning} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function linesOf(family: MetricFamily): string[] {
  if (family.type === "histogram") return histogramLines(family.name, family.histogram);
  if (family.type === "summary") return summaryLines(family.name, family.summary);
  return sampleLines(family);
}

function summaryLines(name: string, { series }: Summary): string[] {
  return inOrder(series).flatMap(([labels, { window, sum, count }]) => [
    ...quantilesOf(window).map(([quantile, value]) =>
      line(name, `${labels}${labels === "" ? "" : ","}quantile="${quantile}"`, value),
    ),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ]);
}

function sampleLines({ name, samples }: Extract<MetricFamily, { readonly samples: unknown }>): string[] {
  return inOrder(samples).map(([labels, value]) => line(name, labels, value));
}

function histogramLines(name: string, { bounds, series }: HistogramReading): string[] {
  return inOrder(series).flatMap(([labels, { counts, sum, count }]) => {
    let below = 0;
    const buckets = [...bounds.map(formatValue), "+Inf"].map((bound, at) => {
      below += counts[at] ?? 0;
      return line(`${name}_bucket`, `${labels}${labels === "" ? "" : ","}le="${bound}"`, below);
    });
    return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
  });
}

/** The order of the texts is that of the label values. */
function inOrder<T>(values: ReadonlyMap<string, T>): (readonly [labels: string, value: T])[] {
  return [...values].sort(([a], [b]) => compareText(a, b));
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${formatValue(value)}\n`;
}

/** Formats a number like Go: with an exponent of at least two digits from a million up, and below a ten thousandth. */
export function formatValue(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.0001 && size < 1_000_000)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
