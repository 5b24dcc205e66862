import { setupServer } from "msw-2/node";
import { vi } from "vitest";
import { mswFacts } from "../../../test/transports/msw-facts.ts";
import { kubernetesHandlers } from "./msw.ts";

vi.mock("msw", () => import("msw-2"));

const server = setupServer();
mswFacts(
  {
    listen: () => server.listen({ onUnhandledRequest: "bypass" }),
    // The types of versions are strangers to each other.
    use: (handlers) => server.use(...(handlers as never[])),
    close: () => server.close(),
    observe: (listener) => void server.events.on("response:mocked", ({ response }) => listener?.(response)),
  },
  kubernetesHandlers,
  {},
  // The client of `node:http` is given what comes whether it reads or not.
  { readsAhead: true },
);
