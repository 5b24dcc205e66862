import { setupServer } from "msw-2/node";
import { vi } from "vitest";
import { kubernetesHandlers } from "../../src/transports/web/msw.ts";
import { informerSoak } from "./informer-soak.ts";

vi.mock("msw", () => import("msw-2"));

informerSoak(
  "client-node 1 with MSW",
  3_000,
  () => import("client-node-1"),
  (observed) => {
    const origin = "https://cluster.test";
    const server = setupServer();
    server.listen({ onUnhandledRequest: "error" });
    // The types of the MSW versions are incompatible.
    server.use(...(kubernetesHandlers(observed, origin) as never[]));
    return { kubeconfig: observed.cluster.kubeconfig({ server: origin }), close: () => server.close() };
  },
);
