const { useCluster } = require("kubedouble/jest");
const { throttle } = require("kubedouble/scenarios");

const double = useCluster({ allowUnserved: ["/apis/example.com/v1/gadgets"] });
const ask = (cluster, path) =>
  cluster.fetch(`https://cluster.test${path}`, {
    headers: { authorization: `Bearer ${cluster.token("alice")}` },
  });

test("an unused fault", async () => {
  double.cluster.inject(throttle({ verb: "list", resource: "pods" }));
  await ask(double.cluster, "/api/v1/nodes");
});

test("an unserved path", () => ask(double.cluster, "/apis/policy/v1beta1/poddisruptionbudgets"));

test("an allowed path", () => ask(double.cluster, "/apis/example.com/v1/gadgets"));

test.skip("nothing", () => {});
