declare module "parse-prometheus-text-format" {
  /** A metric family, as the package reads it; numbers stay text. */
  export interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    readonly type: "COUNTER" | "GAUGE" | "HISTOGRAM" | "SUMMARY" | "UNTYPED";
    readonly metrics: readonly {
      readonly labels?: { readonly [label: string]: string };
      readonly value?: string;
      readonly buckets?: { readonly [bound: string]: string };
      readonly count?: string;
      readonly sum?: string;
    }[];
  }
  export default function parsePrometheusTextFormat(text: string): ParsedFamily[];
}
