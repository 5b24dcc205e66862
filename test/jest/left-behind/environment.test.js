/** @jest-environment kubedouble/jest/environment */
const { throttle } = require("kubedouble/scenarios");

const ask = (cluster, path) =>
  cluster.fetch(`https://cluster.test${path}`, {
    headers: { authorization: `Bearer ${cluster.token("alice")}` },
  });

test("an unused fault", async () => {
  kubedouble.cluster.inject(throttle({ verb: "list", resource: "pods" }));
  await ask(kubedouble.cluster, "/api/v1/nodes");
});

test("an unserved path", () => ask(kubedouble.cluster, "/apis/policy/v1beta1/poddisruptionbudgets"));

test("an allowed path", () => ask(kubedouble.cluster, "/apis/example.com/v1/gadgets"));

test.skip("nothing", () => {});
