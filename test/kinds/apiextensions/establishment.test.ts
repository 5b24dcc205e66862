import { expect, test } from "vitest";
import { listAt, textAt } from "../../../src/apimachinery/fields.ts";
import { type Cluster, createCluster, VirtualClock } from "../../../src/index.ts";
import { crdNotReady } from "../../../src/scenario/presets.ts";
import {
  definitionKind,
  gadgetDefinition,
  gadgetsName,
  gadgetsPath,
  gadgetVersion,
  send,
} from "./gadgets.ts";

const definition = gadgetDefinition([gadgetVersion("v1", { type: "object" })]);

async function established(cluster: Cluster): Promise<string> {
  await cluster.settle();
  const conditions = listAt(await cluster.get(...definitionKind, gadgetsName), "status", "conditions");
  const condition = conditions.find((one) => one["type"] === "Established") ?? {};
  return `${textAt(condition, "status")} ${textAt(condition, "reason")}`;
}

test("crdNotReady holds a definition back until its time is over", async () => {
  await using cluster = createCluster({ clock: new VirtualClock(0) });
  const fault = cluster.inject(
    crdNotReady({ group: "example.com", version: "v1", times: 99, lasting: "5s" }),
  );
  await cluster.create(definition);
  expect(await established(cluster)).toBe("False Installing");
  expect((await send(cluster, "GET", gadgetsPath("v1"))).code).toBe(404);
  expect((await send(cluster, "GET", "/apis/example.com")).code).toBe(404);
  await cluster.clock.advance("5s");
  expect(await established(cluster)).toBe("True InitialNamesAccepted");
  expect((await send(cluster, "GET", gadgetsPath("v1"))).code).toBe(200);
  expect(fault.hits).toBe(1);
});

test("crdNotReady holds a definition back until so many requests have met it", async () => {
  await using cluster = createCluster();
  cluster.inject(crdNotReady({ group: "example.com", version: "v1", times: 2 }));
  await cluster.create(definition);
  const codes: number[] = [];
  for (let i = 0; i < 2; i++) codes.push((await send(cluster, "GET", gadgetsPath("v1"))).code);
  expect(codes).toEqual([404, 404]);
  expect(await established(cluster)).toBe("True InitialNamesAccepted");
  expect((await send(cluster, "GET", gadgetsPath("v1"))).code).toBe(200);
});

test("crdNotReady holds back no definition of another group", async () => {
  await using cluster = createCluster();
  using _fault = cluster.inject(crdNotReady({ group: "example.org", version: "v1" }));
  await cluster.create(definition);
  expect(await established(cluster)).toBe("True InitialNamesAccepted");
  await send(cluster, "GET", "/apis/example.org/v1/others");
});

test("a definition whose webhook has no certificates is not established", async () => {
  await using cluster = createCluster();
  const clientConfig = { url: "https://127.0.0.1:1/convert", caBundle: btoa("no certificates") };
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
  await cluster.create(gadgetDefinition([gadgetVersion("v1", { type: "object" })], { conversion }));
  expect(await established(cluster)).toBe("False InvalidCABundle");
  await cluster.patch(...definitionKind, gadgetsName, {
    spec: { conversion: { strategy: "None", webhook: null } },
  });
  expect(await established(cluster)).toBe("True InitialNamesAccepted");
});
