import type { JsonObject } from "../../src/apimachinery/json.ts";

/** A valid pod template with changes to its spec. */
export function podTemplate(spec: object = {}, labels: JsonObject = { app: "web" }): object {
  return { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }], ...spec } };
}

/** A workload that selects the pods of its template, with changes to its spec. */
export function workload(name: string, spec: object = {}): object {
  const selector = { matchLabels: { app: "web" } };
  return { metadata: { name }, spec: { selector, template: podTemplate(), ...spec } };
}

/** A Job with changes to its spec; it needs no selector. */
export function job(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { template: podTemplate({ restartPolicy: "Never" }, {}), ...spec } };
}

/** The warning about a name that is not a DNS label. */
export const nameAdvice =
  "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]";

export const mismatch = "`selector` does not match template `labels`";
