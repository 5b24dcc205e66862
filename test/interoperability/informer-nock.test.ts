import nock from "nock-14";
import { vi } from "vitest";
import { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { informerSoak } from "./informer-soak.ts";

vi.mock("nock", () => import("nock-14"));

informerSoak(
  "client-node 1 with nock",
  3_000,
  () => import("client-node-1"),
  (observed) => {
    const origin = "https://cluster.test";
    const interception = interceptKubernetes(observed, origin);
    const close = () => {
      interception.restore();
      nock.restore();
    };
    return { kubeconfig: observed.cluster.kubeconfig({ server: origin }), close };
  },
);
