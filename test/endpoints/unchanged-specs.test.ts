import { expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { type Cluster, createCluster, type KubeObject } from "../../src/index.ts";
import { transcript } from "../conformance/replay/exchange.ts";

/** What clients have created on a real server: most kinds, and pods, services and workloads in many forms. */
const created = ["kinds", "crud", "patch", "apply", "podsecurity"].flatMap((area) =>
  transcript(area).filter(
    ({ req, res }) => req.method === "POST" && res.status === 201 && isObject(req.body),
  ),
);

function isObject(body: unknown): body is KubeObject {
  return typeof body === "object" && body !== null && "metadata" in body;
}

async function send(cluster: Cluster, method: string, path: string, type: string, body: unknown) {
  const headers = { Authorization: `Bearer ${cluster.adminToken()}`, "Content-Type": type };
  const url = `https://cluster.test${path}`;
  const response = await cluster.fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, object: (await response.json()) as KubeObject };
}

/** The first patch shows that the spec is complete, and the second makes use of it. */
const values = ["1", "2"];

/** The object without what differs between two writes: owners of fields depend on the kind of patch. */
function comparable({ metadata, ...fields }: KubeObject): object {
  const {
    managedFields: _,
    resourceVersion: __,
    ...rest
  } = metadata as KubeObject["metadata"] & { managedFields?: unknown };
  return { ...fields, metadata: rest };
}

test.each<Release>(["1.20", "1.32", "1.36"])(
  "a patch or apply that leaves the spec as it is does the same as one that decodes it, in %s",
  async (release) => {
    const cluster = createCluster({ release, seed: 1 });
    let compared = 0;
    for (const { req } of created) {
      const { status, object } = await send(cluster, "POST", req.path, "application/json", req.body);
      const { name } = object.metadata;
      if (status !== 201 || name === undefined || object["spec"] === undefined) continue;
      const path = `${req.path.split("?")[0]}/${name}`;
      const copy = cluster.fork();
      let decoded = { status, object };
      for (const value of values) {
        const all = { ...object.metadata.annotations, changed: value };
        const json = [{ op: "add", path: "/metadata/annotations", value: all }];
        decoded = await send(copy, "PATCH", path, "application/json-patch+json", json);
      }
      await copy.close();
      // A dry run has created nothing, and some kinds allow no patch.
      if (decoded.status !== 200) continue;
      for (const type of ["merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"]) {
        const query = type.startsWith("apply") ? "?fieldManager=test&force=true" : "";
        const other = cluster.fork();
        let kept = { status, object };
        for (const value of values) {
          const { apiVersion, kind } = object;
          const patch = { apiVersion, kind, metadata: { annotations: { changed: value } } };
          kept = await send(other, "PATCH", path + query, `application/${type}`, patch);
        }
        await other.close();
        expect([path, type, kept.status]).toEqual([path, type, 200]);
        expect(comparable(kept.object)).toEqual(comparable(decoded.object));
        compared += 1;
      }
    }
    await cluster.close();
    expect(compared).toBeGreaterThan(100);
  },
  60_000,
);
