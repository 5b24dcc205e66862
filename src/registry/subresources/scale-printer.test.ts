import { expect, test } from "vitest";
import { scalePrinter } from "./scale-printer.ts";

const now = Date.UTC(2024, 0, 1, 0, 5);

test("a scale in a Table shows its wanted and its present replicas", () => {
  const plain = { format: "", priority: 0 };
  expect(scalePrinter.columns).toEqual([
    { name: "Name", type: "string", ...plain },
    { name: "Desired", type: "integer", ...plain },
    { name: "Available", type: "integer", ...plain },
    { name: "Age", type: "string", ...plain },
  ]);
  const scale = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name: "web", creationTimestamp: "2024-01-01T00:00:00Z" },
    spec: { replicas: 5 },
    status: { replicas: 4 },
  };
  expect(scalePrinter.cells(scale, now)).toEqual(["web", 5, 4, "5m"]);
});
