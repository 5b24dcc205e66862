import { expect } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { describeRules } from "./gated-rule.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/example.com/v1/widgets";
const text = { type: "string" };

function definition(properties: JsonObject) {
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  return {
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const ruled = (rule: JsonObject) => ({ ...text, "x-kubernetes-validations": [rule] });

describeRules([
  {
    gate: "CRDValidationRatcheting",
    releases: ["1.29", "1.30"],
    seen: [["spec.a", "spec.b", undefined], [true]],
    see: async (send) => {
      expect((await send("POST", definitions, definition({ a: text, b: text, c: text }))).code).toBe(201);
      const spec = { a: "long", b: "other", c: "x" };
      const sent = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec };
      expect((await send("POST", widgets, sent)).code).toBe(201);
      const strict = definition({
        a: { ...text, pattern: "^.$" },
        b: ruled({ rule: "self == 'b'" }),
        c: ruled({ rule: "oldSelf == oldSelf", optionalOldSelf: true }),
      });
      const { object } = await send("PATCH", `${definitions}/widgets.example.com`, { spec: strict.spec });
      const { properties } = object.spec.versions[0].schema.openAPIV3Schema.properties.spec;
      const { findings } = await send("PATCH", `${widgets}/w`, { spec: { c: "y" } });
      const fields = findings.map((finding) => finding.split(":")[0]);
      return [...fields, properties.c["x-kubernetes-validations"][0].optionalOldSelf];
    },
  },
]);
