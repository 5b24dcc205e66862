import { describe, expect, test } from "vitest";
import { QuietServer } from "../conformance/quiet-server.ts";
import { send } from "../conformance/statements/statement.ts";
import { quietCluster, testClient } from "../registry/test-client.ts";

/** A decimal quantity as Go prints it: its digits, its power of ten, and the text that it keeps. */
function held(value: string, scale: number, cached: string, format = "DecimalSI"): string {
  return `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${cached}", Format:"${format}"}`;
}

const ranges = "/api/v1/namespaces/default/limitranges";
const volumes = "/api/v1/persistentvolumes";
const autoscalers = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

function volume(capacity: object): object {
  return {
    metadata: { name: "v" },
    spec: { capacity, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
  };
}

function range(min: string, max: string): object {
  return {
    metadata: { name: "l" },
    spec: { limits: [{ type: "Container", min: { cpu: min }, max: { cpu: max } }] },
  };
}

function autoscaler(averageValue: string): object {
  const target = { type: "AverageValue", averageValue };
  const metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  const scaleTargetRef = { kind: "Deployment", name: "d" };
  return { metadata: { name: "a" }, spec: { maxReplicas: 2, scaleTargetRef, metrics } };
}

async function messageOf(target: string, body: object, release: "1.33" | "1.34" = "1.33"): Promise<string> {
  const send = testClient(quietCluster({ release }));
  return (await send("POST", target, body)).object.message;
}

function force(type: string): string {
  return type === "application/apply-patch+yaml" ? "force=true" : "";
}

describe("an error shows a quantity as it was sent:", () => {
  test.each([
    ["a canonical one", "-1500m", held("-1500", -3, "-1500m")],
    ["a fraction", "-1.5", held("-15", -1, "")],
    ["trailing zeros", "-1000m", held("-1000", -3, "")],
    ["a multiple of eight of a binary unit", "-8Ki", held("-8192", 0, "", "BinarySI")],
    ["another multiple", "-9Ki", held("-9216", 0, "-9Ki", "BinarySI")],
    ["a unit that is not the largest", "-1024Mi", held("-1073741824", 0, "", "BinarySI")],
    ["an exponent", "-1e3", held("-1", 3, "-1e3", "DecimalExponent")],
    ["zero", "0", held("0", 0, "0")],
    ["zero with a unit", "0Mi", held("0", 0, "", "BinarySI")],
  ])("%s", async (_title, sent, text) => {
    expect(await messageOf(autoscalers, autoscaler(sent))).toContain(
      `averageValue: Invalid value: ${text}: must be positive`,
    );
  });

  test("one that int64 cannot hold", async () => {
    const text =
      'resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(0xc000000000)}, s:"", Format:"BinarySI"}';
    expect(await messageOf(autoscalers, autoscaler("-1.5Ki"))).toContain(text);
  });

  test("one within another value", async () => {
    const message = await messageOf(volumes, volume({ cpu: "1.5", storage: "8Gi" }));
    expect(message).toContain(
      `spec.capacity: Unsupported value: core.ResourceList{"cpu":${held("15", -1, "")}, "storage":${held("8589934592", 0, "", "BinarySI")}}`,
    );
  });

  test("one that the server has rounded", async () => {
    const message = await messageOf(volumes, volume({ cpu: "1.0005", storage: "1" }));
    expect(message).toContain(`"cpu":${held("1001", -3, "")}`);
  });

  test("one that the detail of the error formats, with the formatted text", async () => {
    expect(await messageOf(ranges, range("1.5", "1"))).toContain(
      `spec.limits[0].min[cpu]: Invalid value: ${held("15", -1, "1500m")}: min value 1500m is greater than max value 1`,
    );
  });

  test.each([
    ["an update", "PUT", "application/json"],
    ["a merge patch", "PATCH", "application/merge-patch+json"],
    ["a strategic merge patch", "PATCH", "application/strategic-merge-patch+json"],
    ["an apply", "PATCH", "application/apply-patch+yaml"],
  ])("one of %s", async (_title, method, type) => {
    const server = new QuietServer({ release: "1.33" });
    await server.ask(send("POST", ranges, range("1", "2")));
    const body = { apiVersion: "v1", kind: "LimitRange", ...range("2.5", "2") };
    const { text } = await server.ask(send(method, `${ranges}/l?fieldManager=m&${force(type)}`, body, type));
    expect(JSON.parse(text).message).toContain(`Invalid value: ${held("25", -1, "2500m")}: min value 2500m`);
  });

  test("one of an old version", async () => {
    const target = "/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers";
    const send = testClient(quietCluster({ release: "1.25" }));
    const { findings } = await send("POST", target, autoscaler("-1.5"));
    expect(findings.join()).toContain(held("-15", -1, ""));
  });

  test("since 1.34 in its canonical form", async () => {
    expect(await messageOf(autoscalers, autoscaler("-1.5"), "1.34")).toContain(
      'averageValue: Invalid value: "-1500m": must be positive',
    );
  });
});
