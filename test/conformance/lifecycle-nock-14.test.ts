import { vi } from "vitest";
import { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { nockLifecycle } from "./lifecycle-nock.ts";

vi.mock("nock", () => import("nock-14"));

nockLifecycle("nock 14", interceptKubernetes);
