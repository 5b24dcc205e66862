import { expect, test } from "vitest";
import { targetsBelow } from "./base-url.ts";

test.each([
  ["https://cluster.test", "https://cluster.test/api/v1/pods?watch=1", "/api/v1/pods?watch=1"],
  ["https://cluster.test/", "https://cluster.test/", "/"],
  ["https://cluster.test", "https://cluster.test/a%2Fb#fragment", "/a%2Fb"],
  ["https://CLUSTER.test:443", "https://cluster.test/api", "/api"],
  ["https://cluster.test", "https://cluster.test.evil/api", undefined],
  ["https://cluster.test", "https://cluster.test:8443/api", undefined],
  ["https://cluster.test", "http://cluster.test/api", undefined],
  ["https://proxy.test/k8s/clusters/c", "https://proxy.test/k8s/clusters/c/api/v1", "/api/v1"],
  ["https://proxy.test/k8s/", "https://proxy.test/k8s/version", "/version"],
  ["https://proxy.test/k8s", "https://proxy.test/k8s", "/"],
  ["https://proxy.test/k8s", "https://proxy.test/k8s?a=1", "/?a=1"],
  ["https://proxy.test/k8s", "https://proxy.test/k8s-other/version", undefined],
])("below %s, %s is %s", (base, url, target) => {
  expect(targetsBelow(base)(url)).toBe(target);
});
