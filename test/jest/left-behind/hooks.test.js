const { useCluster } = require("kubedouble/jest");
const { throttle } = require("kubedouble/scenarios");

const double = useCluster({ allowUnserved: ["/apis/example.com/v1/gadgets"] });
const ask = (cluster, path) =>
  cluster.fetch(`https://cluster.test${path}`, {
    headers: { authorization: `Bearer ${cluster.token("alice")}` },
  });

test("a fault that never struck", async () => {
  double.cluster.inject(throttle({ verb: "list", resource: "pods" }));
  await ask(double.cluster, "/api/v1/nodes");
});

test("a path that nothing serves", () => ask(double.cluster, "/apis/policy/v1beta1/poddisruptionbudgets"));

test("a path that may be asked for", () => ask(double.cluster, "/apis/example.com/v1/gadgets"));

test.skip("nothing", () => {});
