import { describe, expect, test } from "vitest";
import { QuietServer } from "../conformance/quiet-server.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const metadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const template = {
  metadata: { labels: { app: "w" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};

async function serverOf(release: "1.19" | "1.20", gates: Readonly<Record<string, boolean>> = {}) {
  const server = new QuietServer({ release, featureGates: gates });
  const post = (target: string, body: object) =>
    server.ask({
      method: "POST",
      target,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const created = await post(configMaps, { metadata: { name: "a", selfLink: "/mine" }, data: { k: "v" } });
  await post(deployments, {
    metadata: { name: "web" },
    spec: { selector: { matchLabels: { app: "w" } }, template },
  });
  const read = async (target: string, accept = "application/json") => {
    const { text } = await server.ask({ method: "GET", target, headers: { accept } });
    return JSON.parse(text);
  };
  return { server, created: JSON.parse(created.text), read };
}

/** Upstream: apiserver, pkg/endpoints/handlers/rest.go, setObjectSelfLink, until 1.20. */
describe("up to 1.19", () => {
  test("every object has a link to itself, after its namespace", async () => {
    const { server, created, read } = await serverOf("1.19");
    expect(Object.keys(created.metadata).slice(0, 4)).toEqual(["name", "namespace", "selfLink", "uid"]);
    expect(created.metadata.selfLink).toBe(`${configMaps}/a`);
    for (const [target, link] of [
      [`${configMaps}/a`, `${configMaps}/a`],
      ["/api/v1/namespaces/default", "/api/v1/namespaces/default"],
      [`${deployments}/web/scale`, `${deployments}/web/scale`],
      [`${deployments}/web/status`, `${deployments}/web/status`],
      [`${deployments}/web`, `${deployments}/web`],
    ] as const) {
      expect((await read(target)).metadata.selfLink).toBe(link);
    }
    await server.cluster.close();
  });

  test("lists link to their path, and their items to themselves", async () => {
    const { server, read } = await serverOf("1.19");
    for (const target of [configMaps, "/api/v1/configmaps"]) {
      const list = await read(`${target}?limit=500`);
      expect(Object.keys(list.metadata)).toEqual(["selfLink", "resourceVersion"]);
      expect(list.metadata.selfLink).toBe(target);
      expect(list.items.map(linkOf)).toContain(`${configMaps}/a`);
    }
    const metadata = await read(configMaps, metadataList);
    expect([metadata.metadata.selfLink, metadata.items.map(linkOf)]).toEqual([
      configMaps,
      [`${configMaps}/a`],
    ]);
    await server.cluster.close();
  });

  test("tables and their rows have links", async () => {
    const { server, read } = await serverOf("1.19");
    for (const [target, link] of [
      [configMaps, configMaps],
      [`${configMaps}/a`, `${configMaps}/a`],
      [`${configMaps}?includeObject=Object`, configMaps],
    ] as const) {
      const answer = await read(target, table);
      expect(answer.metadata.selfLink).toBe(link);
      expect(answer.rows.map((row: { readonly object: Linked }) => linkOf(row.object))).toEqual([
        `${configMaps}/a`,
      ]);
    }
    await server.cluster.close();
  });

  test("events of watches have links", async () => {
    const { server } = await serverOf("1.19");
    for (const accept of ["application/json", table, metadataList.replace("MetadataList", "Metadata")]) {
      const { text } = await server.ask({
        method: "GET",
        target: `${configMaps}?watch=1`,
        headers: { accept },
      });
      const event = JSON.parse(text.split("\n")[0] ?? "");
      expect(event.object.metadata.selfLink).toBe(`${configMaps}/a`);
    }
    await server.cluster.close();
  });

  test("an update ignores the link that it sends", async () => {
    const { server, read } = await serverOf("1.19");
    const object = await read(`${configMaps}/a`);
    object.metadata.selfLink = "/other";
    const { text } = await server.ask({
      method: "PUT",
      target: `${configMaps}/a`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(object),
    });
    const { metadata } = JSON.parse(text);
    expect([metadata.selfLink, metadata.resourceVersion]).toEqual([
      `${configMaps}/a`,
      object.metadata.resourceVersion,
    ]);
    await server.cluster.close();
  });

  test("the gate RemoveSelfLink removes them", async () => {
    const { server, created } = await serverOf("1.19", { RemoveSelfLink: true });
    expect(created.metadata).not.toHaveProperty("selfLink");
    await server.cluster.close();
  });
});

test("since 1.20, objects and lists have no links", async () => {
  const { server, created, read } = await serverOf("1.20");
  expect(created.metadata).not.toHaveProperty("selfLink");
  expect((await read(configMaps)).metadata).not.toHaveProperty("selfLink");
  expect((await read(configMaps, table)).metadata).not.toHaveProperty("selfLink");
  await server.cluster.close();
});

interface Linked {
  readonly metadata: { readonly selfLink?: string };
}

function linkOf({ metadata }: Linked): string | undefined {
  return metadata.selfLink;
}
