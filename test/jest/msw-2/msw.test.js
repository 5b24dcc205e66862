const { useCluster } = require("kubedouble/jest");
const { kubernetesHandlers } = require("kubedouble/msw");
const { setupServer } = require("msw/node");

const double = useCluster();
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());

test("MSW 2 answers for a cluster", async () => {
  server.use(...kubernetesHandlers(double.cluster, "https://cluster.test"));
  const response = await fetch("https://cluster.test/api/v1/namespaces/default");
  expect((await response.json()).metadata.name).toBe("default");
});
