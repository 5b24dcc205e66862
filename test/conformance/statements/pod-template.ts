export const templates = "/api/v1/namespaces/default/podtemplates";
export const container = { name: "c", image: "i" };

/** A template whose pod spec has changes. */
export function podTemplate(spec: object): object {
  return { metadata: { name: "t" }, template: { spec: { containers: [container], ...spec } } };
}
