import { describe, expect, test } from "vitest";
import { askingForPods, podsPath } from "../../registry/pods.ts";
import type { SendRequest } from "../../registry/test-client.ts";

const path = `${podsPath}/p/ephemeralcontainers`;
const debug = { name: "dbg", image: "busybox" };

async function made(metadata: object = {}): Promise<SendRequest> {
  const send = askingForPods();
  const spec = { containers: [{ name: "c", image: "i" }], nodeName: "n" };
  await send("POST", podsPath, { metadata: { name: "p", ...metadata }, spec });
  return send;
}

function patch(...ephemeralContainers: readonly object[]): object {
  return { spec: { ephemeralContainers } };
}

describe("ephemeral containers", () => {
  test("are the only accepted change", async () => {
    const send = await made();
    const change = {
      metadata: { labels: { a: "b" } },
      spec: { hostname: "h", ephemeralContainers: [debug] },
    };
    const { object } = await send("PATCH", path, change);
    expect(object.spec.ephemeralContainers).toEqual([
      {
        ...debug,
        resources: {},
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "Always",
      },
    ]);
    expect(object.spec.hostname).toBeUndefined();
    expect(object.metadata.labels).toBeUndefined();
    expect((await send("GET", path)).object).toEqual(object);
  });

  test("are added with PUT as well", async () => {
    const send = await made();
    const { object: pod } = await send("GET", path);
    const sent = { ...pod, spec: { ...pod.spec, ephemeralContainers: [debug] } };
    expect((await send("PUT", path, sent)).object.spec.ephemeralContainers[0].name).toBe("dbg");
  });
});

describe("ephemeral containers are refused for", () => {
  const existing = 'spec.ephemeralContainers: Forbidden: existing ephemeral containers "dbg"';

  test.each<[string, object, readonly unknown[]]>([
    [
      "another image",
      patch({ ...debug, image: "x" }),
      [expect.stringContaining(`${existing} may not be changed\n`)],
    ],
    ["removal", patch(), [`${existing} may not be removed\n`]],
    [
      "the name of another",
      patch(debug, { ...debug, name: "c" }),
      ['spec.ephemeralContainers[1].name: Duplicate value: "c"'],
    ],
    [
      "ports",
      patch(debug, { ...debug, name: "e", ports: [{ containerPort: 1 }] }),
      ["spec.ephemeralContainers[1].ports: Forbidden: cannot be set for an Ephemeral Container"],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = await made();
    const { object } = await send("PATCH", path, patch(debug));
    const kept = JSON.parse(
      JSON.stringify(change).replace(
        JSON.stringify(debug),
        JSON.stringify(object.spec.ephemeralContainers[0]),
      ),
    );
    expect((await send("PATCH", path, kept)).findings).toEqual(findings);
  });

  test("static pods", async () => {
    const send = await made({ annotations: { "kubernetes.io/config.mirror": "x" } });
    expect((await send("PATCH", path, patch(debug))).findings).toEqual([
      "[]: Forbidden: static pods do not support ephemeral containers",
    ]);
  });
});
