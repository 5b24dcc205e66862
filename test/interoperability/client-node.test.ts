import { describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";
import { clientCredentials } from "./client-credentials.ts";
import { type ClientNode, clientNodeFacts } from "./client-node-facts.ts";
import { credentialPlugin } from "./credential-plugin.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 19);

clientNodeFacts("@kubernetes/client-node 1", () => import("client-node-1"));
const plugin = await credentialPlugin();
clientCredentials("@kubernetes/client-node 1 authenticates", () => import("client-node-1"), plugin);

if (isNewEnough) {
  // The tests use the common part of both versions.
  const load = async () => (await import("client-node-2")) as unknown as ClientNode;
  clientNodeFacts("@kubernetes/client-node 2", load);
  clientCredentials("@kubernetes/client-node 2 authenticates", load, plugin);
  test("@kubernetes/client-node 2 does not support plain HTTP", async () => {
    const library = await load();
    const serving = await serve(createCluster(), { tls: false });
    const config = new library.KubeConfig();
    config.loadFromString(serving.kubeconfig());
    const pods = config.makeApiClient(library.CoreV1Api).listPodForAllNamespaces();
    await expect(pods).rejects.toThrow("HTTP protocol is not allowed");
    await serving.close();
  });
} else {
  const reason = `needs Node 22.19 or later, this is ${process.versions.node}`;
  describe.skip(`@kubernetes/client-node 2: ${reason}`, () => {
    test("everything", () => {});
  });
  console.log(`skipped: @kubernetes/client-node 2 ${reason}`);
}
