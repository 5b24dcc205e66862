import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";

describe("a ReplicationController", () => {
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x" }] } };

  test("takes its selector and labels from its template", () => {
    expect(defaulted("v1/ReplicationController", { spec: { template } })).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: { replicas: 1, selector: { a: "b" }, template: { spec: { restartPolicy: "Always" } } },
    });
  });

  test("keeps its own selector, labels and replicas", () => {
    const sent = { metadata: { labels: { x: "y" } }, spec: { replicas: 0, selector: { c: "d" }, template } };
    expect(defaulted("v1/ReplicationController", sent)).toMatchObject({
      metadata: { labels: { x: "y" } },
      spec: { replicas: 0, selector: { c: "d" } },
    });
  });

  test("can have no template", () => {
    expect(defaulted("v1/ReplicationController", {})["spec"]).toEqual({ replicas: 1 });
  });
});
