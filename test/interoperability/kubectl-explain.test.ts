import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { describeKubectl } from "./kubectl.ts";

const swagger = {
  swagger: "2.0",
  definitions: {
    "io.k8s.api.core.v1.Pod": {
      description: "A pod for the test.",
      properties: { spec: { description: "The spec for the test." } },
    },
    "io.k8s.api.core.v1.PodSpec": {
      description: "The type for the test.",
      properties: { nodeName: { description: "The node for the test." } },
    },
  },
};

describeKubectl(
  "kubectl, with the descriptions of a Swagger document",
  ({ kubectl }) => {
    test.each([
      ["pods", "A pod for the test."],
      ["pods", "The spec for the test."],
      ["pods.spec", "The spec for the test."],
      ["pods.spec", "The node for the test."],
    ])("explain %s: %s", async (path, description) => {
      expect(await kubectl(`explain ${path}`)).toContain(description);
    });
  },
  { openapiDescriptions: swagger },
);

/** The URLs of the OpenAPI documents of a cluster, by path. */
async function urlsOf(options: Parameters<typeof createCluster>[0]): Promise<ReadonlyMap<string, unknown>> {
  const cluster = createCluster({ controllers: [], ...options });
  const response = await cluster.fetch("https://cluster.test/openapi/v3");
  const { paths } = JSON.parse(await response.text());
  await cluster.close();
  return new Map(Object.entries(paths).map(([path, entry]) => [path, JSON.stringify(entry)]));
}

test("clients that cached documents without descriptions load the described ones", async () => {
  const [plain, described] = [await urlsOf({}), await urlsOf({ openapiDescriptions: swagger })];
  expect([...described.keys()]).toEqual([...plain.keys()]);
  expect([...described].filter(([path, url]) => plain.get(path) === url)).toEqual([]);
});
